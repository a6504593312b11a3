package io.selvage.otp;

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
 * {@link #pid} is a call. A task that has ended is not started again: what must be goes to a
 * supervisor.
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
   */
  public record Limits(int children, Duration shutdown) {
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
    }

    /**
     * Any number of tasks, which have five seconds to end.
     *
     * @return the defaults
     */
    public static Limits defaults() {
      return new Limits(Integer.MAX_VALUE, Duration.ofSeconds(5));
    }

    /**
     * How many tasks may run at once.
     *
     * @param most the number; 1 or more
     * @return a changed copy
     */
    public Limits withChildren(int most) {
      return new Limits(most, shutdown);
    }

    /**
     * How long the tasks may take to end.
     *
     * @param time the time; zero or more, of any length
     * @return a changed copy
     */
    public Limits withShutdown(Duration time) {
      return new Limits(children, time);
    }
  }

  /** What a task supervisor is asked. */
  sealed interface Request extends SystemMessage {
    /** The answer is empty if there are too many. */
    record Start(TaskRun<?> run, ReplyTo<Optional<Pid<?>>> replyTo) implements Request {}

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
   * @throws io.selvage.kernel.CallException if the supervisor has ended
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
   * @throws io.selvage.kernel.CallException if the supervisor has ended
   */
  public <R> Task<R> asyncUnlinked(Spawner owner, Task.Code<R> code) {
    return begin(Task.Owner.of(owner, false), code);
  }

  private <R> Task<R> begin(Task.Owner owner, Task.Code<R> code) {
    TaskRun<R> run = new TaskRun<>(code, owner.callers(), owner.linkedPid(), true);
    return Task.watched(owner, run, spawn(run));
  }

  /**
   * Starts a task that nobody awaits.
   *
   * @param caller on whose behalf: a process, by its {@code self}, or the node
   * @param code what to do
   * @return its process
   * @throws IllegalStateException if as many run as may
   * @throws io.selvage.kernel.CallException if the supervisor has ended
   */
  public Pid<?> start(Spawner caller, Task.Action code) {
    Objects.requireNonNull(code, "code");
    return spawn(
        new TaskRun<>(Task.unit(code), Task.Owner.of(caller, false).callers(), null, false));
  }

  private Pid<?> spawn(TaskRun<?> run) {
    Optional<Pid<?>> task = ask(replyTo -> new Request.Start(run, replyTo));
    return task.orElseThrow(() ->
        new IllegalStateException(
            "the task supervisor "
                + pid
                + " runs as many tasks as it may: await some first, or give it a higher limit of"
                + " children"));
  }

  /**
   * Its tasks.
   *
   * @return those that run, oldest first
   * @throws io.selvage.kernel.CallException if the supervisor has ended
   */
  public List<Pid<?>> children() {
    return ask(Request.Children::new);
  }

  /**
   * Ends a task, with {@link ExitReason#shutdown()}.
   *
   * @param task the task's process
   * @return false if it is none of this supervisor, or has ended
   * @throws io.selvage.kernel.CallException if the supervisor has ended
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
