package io.selvage.kernel.internal.process;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitoredStart;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.schedule.Spin;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.Scheduler;
import io.selvage.kernel.spi.SystemMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One start with handshake, from the spawn to its outcome: what the new process sees as its {@link
 * Ack}, and what the one who starts it waits on.
 *
 * <pre>
 *   open ── process: ready ──────────────────────► Ready            start returns the value
 *   open ── process: has ended ──────────────────► its reason       start returns the reason
 *   open ── the timer, an interrupt ─────────────► TIMED_OUT, …     start kills the process, waits for its end, returns
 *   open ── who starts it has been ended itself ─► ABANDONED        nobody hears of it any more
 * </pre>
 *
 * <p>The outcome is decided once, by compare-and-set. An end is told here last of all, after names,
 * links and monitors, so a start that failed has left nothing behind when it returns.
 *
 * <p><b>The link of a start.</b> It stands from the spawn on, so that a process does not survive
 * the one who starts it. But an end before the process was ready is told by the result of the start
 * and must not be told a second time by an exit signal. So the new process, when it ends before it
 * is ready, revokes the link itself; it does so on the one thread that could say that it is ready,
 * so there is no race. Erlang lets the signal come and takes it out of the mailbox afterwards; a
 * starting process that does not trap exits is ended by it there, and is not here.
 *
 * <p><b>No code runs on the wrong thread.</b> A start from an event process could run the setup of
 * the new process right there, nested, for a tenth of the cost of giving it to another worker. But
 * then a setup that neither returns nor can be interrupted would hold the one who starts it, and no
 * timeout could help: a supervisor would hang with its child. Only what has no code to run before
 * its first message, a behavior without setup, needs no other thread: it is ready as it is made.
 *
 * @param <A> what is told to whoever waits
 */
public final class Handshake<A> extends Attachment implements Ack<A> {
  private static final VarHandle OUTCOME;

  static {
    try {
      OUTCOME = MethodHandles.lookup().findVarHandle(Handshake.class, "outcome", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** How long a start waits for the end of a process that it has killed. */
  private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

  private static final Object TIMED_OUT = new Object();
  private static final Object INTERRUPTED = new Object();
  private static final Object ABANDONED = new Object();

  /** An outcome that is no failure. */
  private record Ready(@Nullable Object value) {}

  private final LocalNode node;
  private final Thread waiter;

  /** Null while open; a {@link Ready}, an {@link ExitReason} or one of the above. */
  private volatile @Nullable Object outcome;

  /** The process has ended and told everybody. */
  private volatile boolean gone;

  /** The time for the end of a killed process is over. */
  private volatile boolean graceOver;

  /** The new process. Written before it is known to others. */
  private @Nullable LocalProcess<?> child;

  /** Its link with the one who starts it, or null. Written before it is known to others. */
  @Nullable Link link;

  /** What {@link #fail} was given. New process only. */
  private @Nullable ExitReason refusal;

  /** Whether {@link #ready} has been called. New process only. */
  private boolean acknowledged;

  private Handshake(LocalNode node) {
    this.node = node;
    this.waiter = Thread.currentThread();
  }

  // ---------------------------------------------------------------- starting

  /** See {@link io.selvage.kernel.Spawner#start(Init, Duration, SpawnOptions)}. */
  public static <M, A> StartResult<M, A> start(
      LocalNode node,
      @Nullable LocalProcess<?> parent,
      Init<M, A> init,
      Duration timeout,
      SpawnOptions<M> options) {
    long nanos = check(init, timeout, options, parent);
    Handshake<A> handshake = new Handshake<>(node);
    LocalProcess<M> child = handshake.make(init, options);
    return handshake.begin(parent, child, code(init), options, null, nanos, timeout);
  }

  /** See {@link io.selvage.kernel.Spawner#start(Behavior, Duration, SpawnOptions)}. */
  public static <M> StartResult<M, Pid<M>> start(
      LocalNode node,
      @Nullable LocalProcess<?> parent,
      Behavior<M> behavior,
      Duration timeout,
      SpawnOptions<M> options) {
    long nanos = check(behavior, timeout, options, parent);
    if (Behaviors.canBeginIdle(behavior)) {
      LocalProcess<M> child = LocalProcess.event(node, behavior, options, false);
      return readyAtOnce(node, parent, child, behavior.getClass(), options, null);
    }
    Handshake<Pid<M>> handshake = new Handshake<>(node);
    Class<?> code = Behaviors.code(behavior);
    LocalProcess<M> child =
        LocalProcess.event(node, handshake.acknowledging(behavior), options, true);
    return handshake.begin(parent, child, code, options, null, nanos, timeout);
  }

  /** See {@link io.selvage.kernel.Self#startMonitor(Init, Function, Duration, SpawnOptions)}. */
  static <M, A> MonitoredStart<M, A> startMonitor(
      LocalProcess<?> parent,
      Init<M, A> init,
      Function<? super Down, ?> toMessage,
      Duration timeout,
      SpawnOptions<M> options) {
    long nanos = check(init, timeout, options, parent);
    Objects.requireNonNull(toMessage, "toMessage");
    Handshake<A> handshake = new Handshake<>(parent.node);
    LocalProcess<M> child = handshake.make(init, options);
    Monitor monitor = new Monitor(parent, child, child, toMessage);
    return monitored(
        handshake.begin(parent, child, code(init), options, monitor, nanos, timeout), monitor);
  }

  /**
   * See {@link io.selvage.kernel.Self#startMonitor(Behavior, Function, Duration, SpawnOptions)}.
   */
  static <M> MonitoredStart<M, Pid<M>> startMonitor(
      LocalProcess<?> parent,
      Behavior<M> behavior,
      Function<? super Down, ?> toMessage,
      Duration timeout,
      SpawnOptions<M> options) {
    long nanos = check(behavior, timeout, options, parent);
    Objects.requireNonNull(toMessage, "toMessage");
    LocalNode node = parent.node;
    Class<?> code = Behaviors.code(behavior);
    if (Behaviors.canBeginIdle(behavior)) {
      LocalProcess<M> child = LocalProcess.event(node, behavior, options, true);
      Monitor monitor = new Monitor(parent, child, child, toMessage);
      return monitored(readyAtOnce(node, parent, child, code, options, monitor), monitor);
    }
    Handshake<Pid<M>> handshake = new Handshake<>(node);
    LocalProcess<M> child =
        LocalProcess.event(node, handshake.acknowledging(behavior), options, true);
    Monitor monitor = new Monitor(parent, child, child, toMessage);
    return monitored(
        handshake.begin(parent, child, code, options, monitor, nanos, timeout), monitor);
  }

  private static <M, A> MonitoredStart<M, A> monitored(StartResult<M, A> result, Monitor monitor) {
    return new MonitoredStart<>(
        result, result instanceof StartResult.AlreadyStarted ? null : monitor);
  }

  private static long check(
      Object code, Duration timeout, SpawnOptions<?> options, @Nullable LocalProcess<?> parent) {
    Objects.requireNonNull(code, "the code to start");
    Objects.requireNonNull(options, "options");
    long nanos = LocalNode.nanos(timeout, "timeout of the start");
    if (parent == null) {
      LocalProcess.refuseLink(options);
    }
    return nanos;
  }

  /** The class that holds the code, for reports. */
  private static Class<?> code(Init<?, ?> init) {
    return switch (init) {
      case Inits.OfBody<?, ?>(Init.Code<?, ?> code) -> code.getClass();
      case Inits.OfBehavior<?, ?>(Init.Setup<?, ?> setup) ->
          setup instanceof SystemMessage.Program program ? program.code() : setup.getClass();
    };
  }

  private <M> LocalProcess<M> make(Init<M, A> init, SpawnOptions<M> options) {
    return switch (init) {
      case Inits.OfBody<M, A>(Init.Code<M, A> code) -> {
        Body<M> body = self -> code.run(self, this);
        yield LocalProcess.direct(node, body, options);
      }
      case Inits.OfBehavior<M, A>(Init.Setup<M, A> setup) -> {
        LocalProcess<M> process =
            LocalProcess.event(
                node, Behavior.<M>setup(self -> setup.start(self, this)), options, true);
        if (setup instanceof SystemMessage.Program) {
          process.takeSystemMessages();
        }
        yield process;
      }
    };
  }

  /** The beginning of a behavior that is ready when its setup has answered one that goes on. */
  private <M> Behavior<M> acknowledging(Behavior<M> behavior) {
    @SuppressWarnings("unchecked") // the only handshake that is made here tells a pid
    Handshake<Pid<M>> pids = (Handshake<Pid<M>>) this;
    return Behavior.setup(self -> {
      Behavior<M> made = Behaviors.first(behavior, self);
      if (Behaviors.stopReason(made) == null) {
        pids.ready(self.pid());
      }
      return made;
    });
  }

  private static <M> StartResult<M, Pid<M>> readyAtOnce(
      LocalNode node,
      @Nullable LocalProcess<?> parent,
      LocalProcess<M> child,
      Class<?> code,
      SpawnOptions<M> options,
      @Nullable Monitor monitor) {
    StartResult<M, Pid<M>> taken = spawn(node, parent, child, code, options, monitor);
    return taken != null ? taken : new StartResult.Started<>(child, child);
  }

  private <M> StartResult<M, A> begin(
      @Nullable LocalProcess<?> parent,
      LocalProcess<M> process,
      Class<?> code,
      SpawnOptions<M> options,
      @Nullable Monitor monitor,
      long nanos,
      Duration timeout) {
    child = process;
    process.attachment = this;
    StartResult<M, A> taken = spawn(node, parent, process, code, options, monitor);
    if (taken != null) {
      return taken;
    }
    Runner runner = Runner.current();
    LocalProcess<?> caller = runner == null ? null : runner.process;
    TimerNode timer = null;
    try {
      if (outcome == null && nanos == 0) {
        decide(TIMED_OUT);
      } else if (outcome == null) {
        timer = node.wheel().schedule(nanos, new Alarm(this, TIMED_OUT));
      }
      return await(parent, caller, runner, process, timeout);
    } finally {
      decide(ABANDONED); // no effect unless an exit signal, or lack of memory, ended the wait
      if (timer != null) {
        timer.cancel();
      }
    }
  }

  /** Spawns. Answers a result only if the name is taken. */
  private static <M, A> @Nullable StartResult<M, A> spawn(
      LocalNode node,
      @Nullable LocalProcess<?> parent,
      LocalProcess<M> child,
      Class<?> code,
      SpawnOptions<M> options,
      @Nullable Monitor monitor) {
    if (options.name() == null) {
      LocalProcess.start(node, parent, child, code, options, monitor);
      return null;
    }
    LocalProcess<?> holder = node.names().find(options.name());
    if (holder == null) {
      try {
        LocalProcess.start(node, parent, child, code, options, monitor);
        return null;
      } catch (IllegalStateException e) {
        holder = node.names().find(options.name()); // whoever was faster
        if (holder == null) {
          throw e;
        }
      }
    }
    @SuppressWarnings("unchecked") // whoever made the name has promised
    Pid<M> pid = (Pid<M>) holder;
    return new StartResult.AlreadyStarted<>(pid);
  }

  // ---------------------------------------------------------------- waiting

  private <M> StartResult<M, A> await(
      @Nullable LocalProcess<?> parent,
      @Nullable LocalProcess<?> caller,
      @Nullable Runner runner,
      LocalProcess<M> process,
      Duration timeout) {
    if (outcome == null) {
      block(caller, runner, false);
    }
    Object decided = Objects.requireNonNull(outcome);
    if (decided instanceof Ready(Object value)) {
      @SuppressWarnings("unchecked") // was given to ready(A)
      A told = (A) value;
      return new StartResult.Started<>(process, told);
    }
    if (decided instanceof ExitReason reason) {
      forgetLink(parent);
      return new StartResult.Ended<>(process, reason);
    }
    process.pushExit(new ExitSignal(caller, ExitReason.kill(), null), runner);
    forgetLink(parent);
    TimerNode timer = node.wheel().schedule(GRACE, new Alarm(this, null));
    try {
      block(caller, runner, true);
    } finally {
      timer.cancel();
    }
    if (!gone) {
      node.names().free(process); // it cannot be ended, but it must not keep the name
    }
    return decided == INTERRUPTED
        ? new StartResult.Interrupted<>(process)
        : new StartResult.TimedOut<>(
            process,
            timeout,
            gone
                ? null
                : "its code cannot be interrupted and still runs: let it call the kernel from time"
                    + " to time, or wait in calls that can be interrupted");
  }

  /** The link of a process that was not started: nothing comes over it any more. */
  private void forgetLink(@Nullable LocalProcess<?> parent) {
    Link mine = link;
    if (mine == null || parent == null) {
      return;
    }
    Links.remove(parent, mine);
    if (mine.revoke()) {
      parent.fetch(); // the stale exit signal, and the interrupt that came with it
      parent.checkFate();
    }
  }

  /**
   * Blocks until the outcome is decided; or, if {@code ending}, until the process has ended or its
   * time for that is over.
   */
  private void block(@Nullable LocalProcess<?> caller, @Nullable Runner runner, boolean ending) {
    // The worker that would be kept from running others is one of the caller's node.
    Scheduler blocked =
        caller != null && runner != null && runner.holdsWorker() ? caller.node.scheduler() : null;
    boolean interrupted = false;
    if (caller != null) {
      Extras x = caller.extras();
      x.callee = child; // for observers, and for who follows who waits for whom
      x.waiter = waiter;
      Backpressure.beforeReply(caller);
    }
    try {
      if (blocked != null) {
        blocked.beforeBlock();
      }
      try {
        if (blocked != null) {
          long start = Spin.start();
          while (waits(ending) && Spin.goesOn(start)) {
            // it may be decided just now
          }
        }
        while (waits(ending)) {
          if (caller != null) {
            caller.checkSignals();
          }
          if (waits(ending)) {
            node.threads().park(this);
          }
          if (caller != null) {
            interrupted |= caller.foreignInterrupt();
          } else if (Thread.interrupted()) {
            interrupted = true;
            decide(INTERRUPTED);
          }
        }
      } finally {
        if (blocked != null) {
          blocked.afterBlock();
        }
      }
    } finally {
      if (caller != null) {
        Extras x = caller.extras();
        x.waiter = null;
        x.callee = null;
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean waits(boolean ending) {
    return ending ? !gone && !graceOver : outcome == null;
  }

  private boolean decide(Object newOutcome) {
    if (OUTCOME.compareAndSet(this, null, newOutcome)) {
      node.threads().unpark(waiter);
      return true;
    }
    return false;
  }

  /** Ends one of the two waits after a time. */
  private static final class Alarm extends TimerNode {
    private final Handshake<?> handshake;

    /** What the outcome is then; or null for the wait for the end of a killed process. */
    private final @Nullable Object outcome;

    Alarm(Handshake<?> handshake, @Nullable Object outcome) {
      this.handshake = handshake;
      this.outcome = outcome;
    }

    @Override
    protected TimerWheel wheel() {
      return handshake.node.wheel();
    }

    @Override
    protected void fire() {
      if (outcome != null) {
        handshake.decide(outcome);
      } else {
        handshake.graceOver = true;
        handshake.node.threads().unpark(handshake.waiter);
      }
    }

    @Override
    protected void closed() {
      fire();
    }
  }

  // ---------------------------------------------------------------- seen by the new process

  private LocalProcess<?> running() {
    LocalProcess<?> process = Objects.requireNonNull(child);
    process.ensureRunning();
    if (acknowledged) {
      throw new IllegalStateException(
          process + " has said already that it is ready: say it once, or fail before");
    }
    return process;
  }

  @Override
  public void ready(A value) {
    LocalProcess<?> process = running();
    Ready ready = new Ready(value);
    acknowledged = true;
    if (decide(ready) || outcome == ABANDONED) {
      leave(process);
    }
  }

  /** From here on the end of the process is that of any process, and this can be forgotten. */
  private void leave(LocalProcess<?> process) {
    if (!process.replaceAttachment(this, link)) {
      process.extras().handshake = null;
    }
  }

  @Override
  public ExitException fail(ExitReason reason, ExitReason exit) {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(exit, "exit");
    LocalProcess<?> _ = running();
    refusal = reason;
    throw new ExitException(exit);
  }

  /** The process ends before it was ready: the one who starts it hears of it in another way. */
  void ending() {
    Link mine = link;
    if (mine != null && outcome != ABANDONED) {
      mine.revoke();
    }
  }

  /** The process has ended and told everybody else. Allocates nothing. */
  void ended(ExitReason reason) {
    decide(refusal != null ? refusal : reason);
    gone = true;
    node.threads().unpark(waiter);
  }
}
