package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Code that runs beside its owner in a process of its own, and has a result.
 *
 * <pre>{@code
 * Task<Integer> price = Task.async(self, _ -> askShop());
 * int tax = computeTax();
 * int total = price.await(Duration.ofSeconds(5)) + tax;
 * }</pre>
 *
 * <p>The code runs on a virtual thread and may block or compute. Who starts a task owns it: a
 * process, if it gives its {@code self}, or the calling thread, if it gives the node. Only the
 * owner may use the methods of this class; others are refused with {@link IllegalStateException}. A
 * task of a process is linked with it: when one fails, so does the other, and a task ends with its
 * owner, however that ends. To survive a failing task, start it with {@link TaskSupervisor} and
 * {@link TaskSupervisor#asyncUnlinked}, or from a thread.
 *
 * <p>Nothing of a task comes to its owner's mailbox: no result, no monitor's message, and no {@link
 * io.selvage.kernel.Exit} of a task that has a result; so there is nothing to clear away. (An owner
 * that traps exits is told by an {@code Exit} of a linked task that failed, as of any process.)
 * Waiting is a {@linkplain Pid#call call}: an event process may do it, too, and its worker runs
 * others meanwhile.
 *
 * <p>Cost: a direct process, an event process that watches it, and three monitors and links.
 * Source: Elixir's {@code Task}.
 *
 * @param <R> the result
 */
public final class Task<R> {
  /** How long code that was killed may take to end before nobody waits for it any more. */
  private static final Duration KILLED = Duration.ofSeconds(1);

  /**
   * The code of a task.
   *
   * @param <R> the result
   */
  @FunctionalInterface
  public interface Code<R> {
    /**
     * Runs the task.
     *
     * @param self the task's process: to start others, and for {@link #callers}
     * @return the result; not null
     * @throws Exception to end the task with {@link ExitReason.Crash}, or with the reason of an
     *     {@link io.selvage.kernel.ExitException}
     */
    R run(Self<?> self) throws Exception;
  }

  /** The code of a task without a result. */
  @FunctionalInterface
  public interface Action {
    /**
     * Runs the task.
     *
     * @param self the task's process
     * @throws Exception to end the task, as that of {@link Code#run}
     */
    void run(Self<?> self) throws Exception;
  }

  private final Pid<?> pid;
  private final Pid<TaskGuard.Msg> guard;
  private final TaskRun<R> run;
  private final Owner owner;

  /** {@link #ignore} was called. The owner's own. */
  private boolean ignored;

  private Task(Pid<?> pid, Pid<TaskGuard.Msg> guard, TaskRun<R> run, Owner owner) {
    this.pid = pid;
    this.guard = guard;
    this.run = run;
    this.owner = owner;
  }

  /** Who may await a task: a process, or else a thread. */
  record Owner(Spawner spawner, @Nullable Self<?> self, Thread thread, boolean linked) {
    static Owner of(Spawner spawner, boolean linked) {
      Objects.requireNonNull(spawner, "owner");
      return switch (spawner) {
        case Self<?> self -> {
          ensureRuns(self, "a task is started by its owner");
          yield new Owner(spawner, self, Thread.currentThread(), linked);
        }
        case Node _ -> new Owner(spawner, null, Thread.currentThread(), false);
      };
    }

    List<Pid<?>> callers() {
      return self == null ? List.of() : callersFrom(self);
    }

    /** Whom the task is linked with, or null. */
    @Nullable Pid<?> linkedPid() {
      return linked && self != null ? self.pid() : null;
    }

    private static void ensureRuns(Self<?> self, String rule) {
      try {
        int _ = self.stashed(); // refuses every thread but the one that runs the process
      } catch (IllegalStateException elsewhere) {
        throw new IllegalStateException(
            rule
                + ", and that is "
                + self.pid()
                + ", but "
                + Thread.currentThread()
                + " does not run it: let the owner do it, and hand on the result",
            elsewhere);
      }
    }

    void ensureAwaits(Pid<?> task) {
      if (self != null) {
        ensureRuns(self, "only its owner may use the task " + task);
      } else if (Thread.currentThread() != thread) {
        throw new IllegalStateException(
            "only its owner may use the task "
                + task
                + ", and that is "
                + thread
                + ", not "
                + Thread.currentThread()
                + ": let the owner do it, and hand on the result; a process that owns tasks starts"
                + " them with its self instead of the node");
      }
    }

    void unlink(Pid<?> task) {
      if (linked && self != null) {
        self.unlink(task);
      }
    }
  }

  // ---------------------------------------------------------------- starting

  /**
   * Starts a task.
   *
   * @param owner the process that starts it, by its {@code self}: then the task is linked with it;
   *     or the node: then the calling thread owns the task
   * @param code what to do
   * @param <R> the result
   * @return the task
   * @throws IllegalStateException if the node is closing, or the calling thread does not run the
   *     process
   */
  public static <R> Task<R> async(Spawner owner, Code<R> code) {
    Owner by = Owner.of(owner, true);
    TaskRun<R> run = new TaskRun<>(code, by.callers(), by.linkedPid(), false);
    SpawnOptions<Void> options = SpawnOptions.defaults();
    Pid<Void> pid = owner.spawn(run, by.linkedPid() == null ? options : options.linked());
    return watched(by, run, pid);
  }

  /** A task whose process was spawned. */
  static <R> Task<R> watched(Owner owner, TaskRun<R> run, Pid<?> pid) {
    return new Task<>(
        pid, TaskGuard.start(owner.spawner(), run, pid, owner.linkedPid()), run, owner);
  }

  /**
   * Starts a task that nobody awaits, for what it does alone. Its end is nobody else's.
   *
   * @param spawner the process that starts it, or the node
   * @param code what to do
   * @return its process
   */
  public static Pid<?> start(Spawner spawner, Action code) {
    return start(spawner, code, SpawnOptions.defaults());
  }

  /**
   * Starts a task that nobody awaits and that is linked with the process that starts it.
   *
   * @param self the process
   * @param code what to do
   * @return the task's process
   */
  public static Pid<?> startLinked(Self<?> self, Action code) {
    return start(self, code, SpawnOptions.<Void>defaults().linked());
  }

  private static Pid<?> start(Spawner spawner, Action code, SpawnOptions<Void> options) {
    Objects.requireNonNull(code, "code");
    List<Pid<?>> callers = spawner instanceof Self<?> self ? callersFrom(self) : List.of();
    return spawner.spawn(new TaskRun<>(unit(code), callers, null, false), options);
  }

  /** Code that answers something, since a task must. */
  static Code<Boolean> unit(Action code) {
    return self -> {
      code.run(self);
      return true;
    };
  }

  /**
   * On whose behalf a task runs: the process that started it, the one that started that if it is a
   * task too, and so on. Unlike {@link Self#ancestors} this leaves out supervisors.
   *
   * <p>Source: {@code $callers} of Elixir's {@code Task}.
   *
   * @param self the task's process, or any other
   * @return nearest first; empty if a thread started it, or if the process is no task
   */
  public static List<Pid<?>> callers(Self<?> self) {
    List<Pid<?>> callers = self.get(TaskRun.CALLERS);
    return callers == null ? List.of() : callers;
  }

  /** The callers of a task that this process starts. */
  static List<Pid<?>> callersFrom(Self<?> self) {
    List<Pid<?>> callers = callers(self);
    if (callers.isEmpty()) {
      return List.of(self.pid());
    }
    List<Pid<?>> all = new ArrayList<>(callers.size() + 1);
    all.add(self.pid());
    all.addAll(callers);
    return List.copyOf(all);
  }

  // ---------------------------------------------------------------- its outcome

  /**
   * The process that runs the task.
   *
   * @return its pid
   */
  public Pid<?> pid() {
    return pid;
  }

  /**
   * Waits for the result. A task that has none in time is ended, since nobody else may await it; to
   * go on waiting later, use {@link #poll}. Again answers the same.
   *
   * @param timeout how long to wait; zero or more, of any length
   * @return the result
   * @throws CallException if the task ended without one, with its reason; or if the waiting thread,
   *     which is no process, is interrupted
   * @throws CallTimeoutException if there was none in time
   * @throws IllegalStateException if the caller is not the owner, or ignores the task
   */
  public R await(Duration timeout) {
    Optional<Outcome<R>> outcome = poll(timeout);
    if (outcome.isEmpty()) {
      giveUp();
      return new Outcome.TimedOut<R>(pid, timeout).orThrow();
    }
    return outcome.get().orThrow();
  }

  /**
   * Waits for the result, and leaves the task running if there is none in time. Source: {@code
   * Task.yield}.
   *
   * @param timeout how long to wait; zero or more, of any length; zero looks and does not wait
   * @return a reply or a failure; empty if it is still running
   * @throws CallException if the waiting thread, which is no process, is interrupted
   * @throws IllegalStateException if the caller is not the owner, or ignores the task
   */
  public Optional<Outcome<R>> poll(Duration timeout) {
    ensureUsable();
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "the timeout is " + timeout + ", but it is a time to wait: give zero or more");
    }
    Outcome<R> outcome = run.outcome();
    if (outcome != null || timeout.isZero()) {
      return Optional.ofNullable(outcome);
    }
    try {
      Boolean _ = guard.<Boolean>call(TaskGuard.Msg.Wait::new, timeout);
    } catch (CallTimeoutException _) {
      return Optional.ofNullable(run.outcome());
    } catch (CallException guardEnded) {
      outcome = run.outcome();
      if (outcome != null) {
        return Optional.of(outcome);
      }
      if (guardEnded.reason() instanceof ExitReason.Crash(InterruptedException _)) {
        throw guardEnded;
      }
      return Optional.of(new Outcome.Failed<>(pid, guardEnded.reason())); // the node was closed
    }
    return Optional.ofNullable(run.outcome());
  }

  /** Ends a task that nobody will await any more; a link must not bring that back. */
  void giveUp() {
    owner.unlink(pid);
    guard.send(new TaskGuard.Msg.End(ExitReason.shutdown()));
  }

  private void ensureUsable() {
    owner.ensureAwaits(pid);
    if (ignored) {
      throw new IllegalStateException(
          "the task "
              + pid
              + " is ignored, so its outcome is nobody's any more: await it before, or do not"
              + " ignore it");
    }
  }

  // ---------------------------------------------------------------- its end

  /**
   * Unlinks the task and ends it; kills it if it takes too long.
   *
   * @param timeout how long it may take to end before it is killed; zero or more, of any length
   * @return its result, if it had one by then; a failure, if it had ended otherwise; empty if this
   *     ended it
   * @throws IllegalStateException if the caller is not the owner, or ignores the task
   */
  public Optional<Outcome<R>> shutdown(Duration timeout) {
    ensureUsable();
    giveUp();
    Optional<Outcome<R>> outcome = poll(timeout);
    return outcome.isPresent() ? unlessEndedBy(outcome, ExitReason.shutdown()) : kill();
  }

  /**
   * Unlinks the task and kills it. Code that neither returns, blocks, nor calls the kernel cannot
   * be killed: after a second this returns all the same.
   *
   * @return its result, if it had one by then; a failure, if it had ended otherwise; empty if this
   *     ended it
   * @throws IllegalStateException if the caller is not the owner, or ignores the task
   */
  public Optional<Outcome<R>> kill() {
    ensureUsable();
    owner.unlink(pid);
    guard.send(new TaskGuard.Msg.End(ExitReason.kill()));
    return unlessEndedBy(poll(KILLED), ExitReason.killed());
  }

  private static <R> Optional<Outcome<R>> unlessEndedBy(
      Optional<Outcome<R>> outcome, ExitReason own) {
    return outcome.filter(o ->
        !(o instanceof Outcome.Failed<R>(_, var reason)
            && (reason.equals(own) || reason.equals(ExitReason.shutdown()))));
  }

  /**
   * Unlinks the task and lets it run on, without an owner: it can not be awaited any more, and its
   * end is nobody else's.
   *
   * @return its outcome, if it has ended already; empty if it runs on
   * @throws IllegalStateException if the caller is not the owner, or ignores it already
   */
  public Optional<Outcome<R>> ignore() {
    Optional<Outcome<R>> outcome = poll(Duration.ZERO);
    owner.unlink(pid);
    guard.send(new TaskGuard.Msg.Release());
    ignored = true;
    return outcome;
  }

  @Override
  public String toString() {
    Outcome<R> outcome = run.outcome();
    return "task " + pid + (outcome == null ? "" : " " + outcome);
  }
}
