package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Starts tasks as children of its own, so that they have a place in the tree: they are listed,
 * limited in number, and ended when it ends. Tasks of it may be unlinked from their owner, which
 * then survives their failures.
 *
 * <pre>{@code
 * TaskSupervisor tasks = TaskSupervisor.start(node, TaskSupervisor.Limits.defaults()).orThrow().value();
 * Task<Page> page = tasks.asyncUnlinked(self, _ -> fetch(url));
 * switch (page.poll(Duration.ofSeconds(2)).orElse(null)) {
 *   case Outcome.Replied<Page>(var it) -> show(it);
 *   case null, default -> showNothing();
 * }
 * }</pre>
 *
 * <p>All methods may be called from any thread and any process but the supervisor itself; each but
 * {@link #pid} is a call. A task that somebody awaits is not started again when it has ended: its
 * outcome is what came of it. One that nobody awaits is if its {@link Restart} says so; when there
 * are too many restarts, the supervisor ends its tasks and itself, with {@link
 * SupervisorEnd.TooManyRestarts}.
 *
 * <p>Source: Elixir's {@code Task.Supervisor}.
 */
public final class TaskSupervisor {
  private final Pid<?> pid;
  private final Pid<SystemMessage> address;

  TaskSupervisor(Pid<?> pid) {
    this.pid = pid;
    this.address = SystemMessage.addressOf(pid).orElseThrow();
  }

  /**
   * What a task supervisor allows. Immutable.
   *
   * @param children how many tasks may run at once; 1 or more
   * @param shutdown how long all tasks together may take to end when the supervisor ends, before
   *     they are killed; zero or more, of any length
   * @param intensity how many restarts of tasks are allowed within a period; zero or more
   * @param period the period; more than zero
   */
  public record Limits(int children, Duration shutdown, int intensity, Duration period) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public Limits {
      if (children < 1) {
        throw new IllegalArgumentException(
            "the limit of children is " + children + ", so no task could run: give 1 or more");
      }
      if (shutdown.isNegative()) {
        throw new IllegalArgumentException(
            "the time for shutdown is " + shutdown + ", but it is a time: give zero or more");
      }
      io.selvage.otp.SupervisorLimits _ =
          io.selvage.otp.SupervisorLimits.DEFAULT.withIntensity(intensity, period);
    }

    /**
     * Any number of tasks, which have five seconds to end; three restarts within five seconds.
     *
     * @return the defaults
     */
    public static Limits defaults() {
      return new Limits(Integer.MAX_VALUE, Duration.ofSeconds(5), 3, Duration.ofSeconds(5));
    }

    /**
     * How many tasks may run at once.
     *
     * @param most the number; 1 or more
     * @return a changed copy
     */
    public Limits withChildren(int most) {
      return new Limits(most, shutdown, intensity, period);
    }

    /**
     * How long the tasks may take to end.
     *
     * @param time the time; zero or more, of any length
     * @return a changed copy
     */
    public Limits withShutdown(Duration time) {
      return new Limits(children, time, intensity, period);
    }

    /**
     * How many restarts of tasks are too many; see {@link SupervisorSpec#withIntensity}.
     *
     * @param restarts how many are allowed; zero or more
     * @param within within which time; more than zero
     * @return a changed copy
     * @throws IllegalArgumentException if one is out of its range
     */
    public Limits withIntensity(int restarts, Duration within) {
      return new Limits(children, shutdown, restarts, within);
    }
  }

  /** What a task supervisor is asked. */
  sealed interface Request extends SystemMessage {
    /** The answer is empty if there are too many. */
    record Start(TaskRun<?> run, Restart restart, ReplyTo<Optional<Pid<?>>> replyTo)
        implements Request {}

    record Children(ReplyTo<List<Pid<?>>> replyTo) implements Request {}

    record Terminate(Pid<?> child, ReplyTo<Boolean> replyTo) implements Request {}
  }

  // ---------------------------------------------------------------- starting it

  /**
   * The code of a task supervisor, to be given to any {@code start} of the kernel.
   *
   * @param limits what it allows
   * @param <M> nothing: it accepts no messages, and is used through what its start tells
   * @return what to start
   */
  public static <M> Init<M, TaskSupervisor> of(Limits limits) {
    return TaskSupervisorLoop.program(limits);
  }

  /**
   * Starts a task supervisor; from a process, linked with it.
   *
   * @param spawner the node, or the process that starts it
   * @param limits what it allows
   * @return it, or why it was not started
   */
  public static StartResult<Object, TaskSupervisor> start(Spawner spawner, Limits limits) {
    SpawnOptions<Object> options = SpawnOptions.defaults();
    return spawner.start(
        of(limits), Sys.FOREVER, spawner instanceof Self<?> ? options.linked() : options);
  }

  /**
   * Its process.
   *
   * @return its pid
   */
  public Pid<?> pid() {
    return pid;
  }

  // ---------------------------------------------------------------- tasks

  /**
   * Starts a task that is linked with its owner, if that is a process.
   *
   * @param owner who awaits it: a process, by its {@code self}, or the node for the calling thread
   * @param code what to do
   * @param <R> the result
   * @return the task
   * @throws IllegalStateException if as many run as may
   * @throws CallException if the supervisor has ended
   */
  public <R> Task<R> async(Spawner owner, Task.Code<R> code) {
    return begin(Task.Owner.of(owner, true), code);
  }

  /**
   * Starts a task that is not linked with its owner: neither harms the other, and the task runs on
   * if its owner ends.
   *
   * @param owner who awaits it: a process, by its {@code self}, or the node for the calling thread
   * @param code what to do
   * @param <R> the result
   * @return the task
   * @throws IllegalStateException if as many run as may
   * @throws CallException if the supervisor has ended
   */
  public <R> Task<R> asyncUnlinked(Spawner owner, Task.Code<R> code) {
    return begin(Task.Owner.of(owner, false), code);
  }

  private <R> Task<R> begin(Task.Owner owner, Task.Code<R> code) {
    TaskRun<R> run = new TaskRun<>(code, owner.callers(), owner.linkedPid(), true);
    return Task.watched(owner, run, spawn(run, Restart.TEMPORARY));
  }

  /**
   * Starts a task that nobody awaits, and that is not started again.
   *
   * @param caller on whose behalf: a process, by its {@code self}, or the node
   * @param code what to do
   * @return its process
   * @throws IllegalStateException if as many run as may
   * @throws CallException if the supervisor has ended
   */
  public Pid<?> start(Spawner caller, Task.Action code) {
    return start(caller, Restart.TEMPORARY, code);
  }

  /**
   * Starts a task that nobody awaits. If it is started again, that is at once, and another process
   * runs it; {@link #children} tells which.
   *
   * <pre>{@code
   * tasks.start(node, Restart.TRANSIENT, _ -> upload(file)); // until it has not failed
   * }</pre>
   *
   * @param caller on whose behalf: a process, by its {@code self}, or the node
   * @param restart when the code is run again, once its process has ended
   * @param code what to do; is run once more for each restart
   * @return its first process
   * @throws IllegalStateException if as many run as may
   * @throws CallException if the supervisor has ended
   */
  public Pid<?> start(Spawner caller, Restart restart, Task.Action code) {
    Objects.requireNonNull(restart, "restart");
    Objects.requireNonNull(code, "code");
    return spawn(
        new TaskRun<>(Task.unit(code), Task.Owner.of(caller, false).callers(), null, false),
        restart);
  }

  /** Starts a task; see {@link #async} for what it throws. */
  Pid<?> spawn(TaskRun<?> run, Restart restart) {
    Optional<Pid<?>> task = ask(replyTo -> new Request.Start(run, restart, replyTo));
    return task.orElseThrow(() ->
        new IllegalStateException(
            "the task supervisor "
                + pid
                + " runs as many tasks as it may: await some first, or give it a higher limit of"
                + " children"));
  }

  // ---------------------------------------------------------------- one for each element

  /**
   * Does something with each element of a collection, as {@link Tasks#stream} does, in tasks that
   * are children of this supervisor and linked with the owner, if that is a process: one that fails
   * ends the owner as well, unless that traps exits; then an {@link io.selvage.kernel.Exit} from
   * the stream's process tells it, and the failure is the element's outcome. One that is killed
   * because it took too long does not count as failed.
   *
   * @param owner the process that reads it, by its {@code self}; or the node: then the calling
   *     thread
   * @param collection the elements; its iterator is used by the reader
   * @param step what to do with each
   * @param options how
   * @param <T> the element
   * @param <R> the result
   * @return what came of each; who reads it gets {@link IllegalStateException} if the supervisor
   *     runs as many tasks as it may, and {@link CallException} if it has ended
   */
  public <T, R> Stream<Tasks.Element<T, R>> stream(
      Spawner owner,
      Iterable<? extends T> collection,
      Tasks.Step<? super T, ? extends R> step,
      Tasks.StreamOptions options) {
    return Tasks.stream(Task.Owner.of(owner, true), this, collection, step, options);
  }

  /**
   * Does something with each element of a collection, as {@link Tasks#stream} does, in tasks that
   * are children of this supervisor: one that fails is an outcome, and harms nobody. All tasks end
   * with the stream.
   *
   * @param owner the process that reads it, by its {@code self}; or the node: then the calling
   *     thread
   * @param collection the elements; its iterator is used by the reader
   * @param step what to do with each
   * @param options how
   * @param <T> the element
   * @param <R> the result
   * @return what came of each; who reads it gets {@link IllegalStateException} if the supervisor
   *     runs as many tasks as it may, and {@link CallException} if it has ended
   */
  public <T, R> Stream<Tasks.Element<T, R>> streamUnlinked(
      Spawner owner,
      Iterable<? extends T> collection,
      Tasks.Step<? super T, ? extends R> step,
      Tasks.StreamOptions options) {
    return Tasks.stream(Task.Owner.of(owner, false), this, collection, step, options);
  }

  // ---------------------------------------------------------------- those that run

  /**
   * Its tasks.
   *
   * @return those that run, oldest first
   * @throws CallException if the supervisor has ended
   */
  public List<Pid<?>> children() {
    return ask(Request.Children::new);
  }

  /**
   * Ends a task, with {@link ExitReason#shutdown()}. It is not started again.
   *
   * @param task the task's process
   * @return false if it is none of this supervisor, or has ended
   * @throws CallException if the supervisor has ended
   */
  public boolean terminate(Pid<?> task) {
    return ask(replyTo -> new Request.Terminate(task, replyTo));
  }

  private <R> R ask(Function<ReplyTo<R>, SystemMessage> request) {
    return address.call(request, Sys.FOREVER);
  }

  @Override
  public String toString() {
    return "task supervisor " + pid;
  }
}
