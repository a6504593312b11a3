package io.selvage.kernel.internal.process;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Receive;
import io.selvage.kernel.Requests;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.schedule.RunTask;
import io.selvage.kernel.internal.schedule.Worker;
import io.selvage.kernel.internal.schedule.WorkerCarriers;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A process whose code is a {@link Body}, on a thread of its own, most often a virtual one.
 *
 * <p>Where the node runs direct processes on its workers, the process is the scheduler of its own
 * virtual thread: the JDK hands it the thread's continuation each time that can go on, and it takes
 * its place in the queue of a worker like an event process.
 *
 * @param <M> the messages the process accepts
 */
public final class DirectProcess<M> extends LocalProcess<M> implements DirectSelf<M>, Executor {
  /** In place of nanoseconds: no timeout. */
  private static final long NO_LIMIT = -1;

  private final Runner runner = new Runner();

  /** Its thread. Set before the process is started. */
  private @Nullable Thread thread;

  /** Its code; null once it runs, so that what it has captured can be freed as it goes. */
  private @Nullable Body<M> body;

  /** Why an exit signal has ended the process, or null. Owner only. */
  private @Nullable ExitReason fate;

  /**
   * On the node's workers: the continuation of the thread. Written before each place in a queue,
   * read by the worker.
   */
  private @Nullable Runnable continuation;

  DirectProcess(LocalNode node, Body<M> body, boolean virtual) {
    super(node, false);
    this.body = body;
    runner.process = this;
    WorkerCarriers carriers = node.carriers();
    thread =
        virtual && carriers != null
            ? carriers.newThread(this, runner, runner)
            : node.threads().processThread("selvage-process", virtual, runner, runner);
    runner.thread = thread;
  }

  @Override
  void launch(@Nullable Runner parent) {
    try {
      Objects.requireNonNull(thread).start();
      node.launched();
    } catch (Throwable failure) { // no memory for a thread
      terminate(new ExitReason.Crash(failure));
      throw failure;
    }
  }

  /**
   * Whether it runs on a carrier thread of the JDK just now. The JDK tells that only in the text of
   * a virtual thread. Any thread.
   */
  public boolean holdsCarrier() {
    Thread t = thread;
    return t != null
        && t.isVirtual()
        && t.getState() == Thread.State.RUNNABLE // most are not, and this costs less than the text
        && t.toString().contains("/runnable@");
  }

  /** How often its code has entered the kernel; may wrap around, and be out of date. Any thread. */
  public int kernelEntries() {
    return runner.entries;
  }

  /** Where its code is. Any thread. */
  public StackTraceElement[] stack() {
    return Objects.requireNonNull(thread).getStackTrace();
  }

  @Override
  void wake(@Nullable Runner waker) {
    node.threads().unpark(Objects.requireNonNull(thread));
  }

  @Override
  void interrupt() {
    interruptUnlessEnding(Objects.requireNonNull(thread));
  }

  @Override
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Override
  @Nullable ExitReason fate() {
    return fate;
  }

  @Override
  void seal(ExitReason reason) {
    fate = reason;
  }

  @Override
  void sealEnded() {
    if (fate == null) {
      fate = ExitReason.normal();
    }
    body = null;
  }

  /** Its thread, for observers. */
  Thread thread() {
    return Objects.requireNonNull(thread);
  }

  @Override
  public @Nullable Class<?> presentCode() {
    return null;
  }

  @Override
  @Nullable Object presentState() {
    SystemMessage.Receiver receiver = receiver();
    return receiver == null ? null : receiver.shownState();
  }

  @Override
  SystemMessage.@Nullable Receiver receiver() {
    Extras x = extrasOrNull();
    return x == null ? null : x.receiver;
  }

  /** The behavior that this process runs takes system messages. Owner only. */
  void receivesBy(SystemMessage.Receiver receiver) {
    extras().receiver = receiver;
  }

  /** The whole life of the process, on its thread. */
  void live() {
    ExitReason end;
    try {
      Body<M> code = Objects.requireNonNull(body);
      body = null;
      checkSignals();
      code.run(this);
      end = ExitReason.normal();
    } catch (Throwable failure) {
      end = reasonOf(failure);
    }
    try {
      fetchExit();
      beginEnding();
      Thread.interrupted(); // an exit signal may have set it; the event sink is run on this thread,
      // too
      if (fate != null) {
        end = fate;
      }
      runner.process = null; // what the event sink does is not done by a process that has ended
      terminate(end);
    } catch (Throwable failure) {
      node.fault("ending " + this, failure);
    }
  }

  // ---------------------------------------------------------------- receiving

  @Override
  public M receive() {
    ensureRunning();
    runner.serving = null;
    while (true) {
      M message = take();
      if (message != null) {
        return message;
      }
      if (beginWait()) {
        park(null);
      }
    }
  }

  @Override
  public @Nullable M receive(Duration timeout) {
    long nanos = LocalNode.nanos(timeout, "timeout of receive");
    ensureRunning();
    runner.serving = null;
    M message = take();
    if (message != null || nanos == 0) {
      return message;
    }
    Alarm alarm = node.wheel().schedule(nanos, new Alarm(this));
    try {
      while (true) {
        if (beginWait()) {
          park(alarm);
          if (stillWaits() && endWait()) {
            return null;
          }
        }
        message = take();
        if (message != null || alarm.rang) {
          return message;
        }
      }
    } finally {
      alarm.cancel();
    }
  }

  @Override
  public <T extends M> T receive(Class<T> type) {
    Objects.requireNonNull(type, "type");
    return type.cast(Objects.requireNonNull(select(type::isInstance, NO_LIMIT)));
  }

  @Override
  public <T extends M> @Nullable T receive(Class<T> type, Duration timeout) {
    Objects.requireNonNull(type, "type");
    long nanos = LocalNode.nanos(timeout, "timeout of receive");
    return type.cast(select(type::isInstance, nanos));
  }

  @Override
  @SuppressWarnings("unchecked") // senders were held to M by javac
  public M receive(Predicate<? super M> wanted) {
    Objects.requireNonNull(wanted, "wanted");
    return (M) Objects.requireNonNull(select((Predicate<Object>) wanted, NO_LIMIT));
  }

  @Override
  @SuppressWarnings("unchecked") // senders were held to M by javac
  public @Nullable M receive(Predicate<? super M> wanted, Duration timeout) {
    Objects.requireNonNull(wanted, "wanted");
    long nanos = LocalNode.nanos(timeout, "timeout of receive");
    return (M) select((Predicate<Object>) wanted, nanos);
  }

  @Override
  @SuppressWarnings("unchecked") // the actions answer R
  public <R> R receive(Receive<? super M, ? extends R> cases) {
    Objects.requireNonNull(cases, "cases");
    Clauses.Choice choice = new Clauses.Choice((Clauses<?, ?>) cases);
    return (R) choice.act(Objects.requireNonNull(select(choice, NO_LIMIT)));
  }

  @Override
  @SuppressWarnings("unchecked") // the actions answer R
  public <R> @Nullable R receive(Receive<? super M, ? extends R> cases, Duration timeout) {
    Objects.requireNonNull(cases, "cases");
    long nanos = LocalNode.nanos(timeout, "timeout of receive");
    Clauses.Choice choice = new Clauses.Choice((Clauses<?, ?>) cases);
    Object message = select(choice, nanos);
    return message == null ? null : (R) choice.act(message);
  }

  /**
   * Takes the oldest message that is wanted, or answers null when the time is over.
   *
   * @param nanos the time, or {@link #NO_LIMIT}
   */
  private @Nullable Object select(Predicate<Object> wanted, long nanos) {
    ensureRunning();
    runner.serving = null;
    Scan scan = new Scan(this);
    Object message = scan.take(wanted);
    if (message != null || nanos == 0) {
      return message;
    }
    Alarm alarm = nanos == NO_LIMIT ? null : node.wheel().schedule(nanos, new Alarm(this));
    try {
      while (true) {
        if (beginWait()) {
          park(alarm);
          if (alarm != null && stillWaits() && endWait()) {
            return null;
          }
        }
        message = scan.take(wanted);
        if (message != null || (alarm != null && alarm.rang)) {
          return message;
        }
      }
    } finally {
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }

  /**
   * Parks until the wait is over, or the alarm has rung. An interrupt that comes meanwhile would
   * keep the thread from parking, so it is cleared, and set again afterwards; unless an exit signal
   * brought it, which is in the inbox then.
   */
  private void park(@Nullable Alarm alarm) {
    boolean interrupted = false;
    while (stillWaits() && (alarm == null || !alarm.rang)) {
      node.threads().park(alarm == null ? this : alarm); // observers see what it waits for
      if (Thread.interrupted()) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      checkSignals(); // takes the interrupt back if it came with a signal that does not end the
      // process
    }
  }

  /** The oldest message, or null. Signals act first; an exit signal ends the process here. */
  @SuppressWarnings("unchecked") // senders were held to M by javac
  private @Nullable M take() {
    Object message;
    do {
      message = fate != null ? null : nextMessage();
    } while (message == null && fate == null && hasUnread()); // some were dropped
    if (message == null && fate != null) {
      checkFate();
    }
    return (M) message;
  }

  // ---------------------------------------------------------------- asynchronous calls

  @Override
  public <K, R> Requests<K, R> requests() {
    ensureRunning();
    return new CollectedCalls<>(this);
  }

  /**
   * Waits until an outcome has come to a collection of calls, and leaves messages where they are.
   *
   * @param calls the collection
   * @param nanos how long; the greatest there is sets no timer
   * @return false if the time passed before
   */
  boolean await(CollectedCalls<?, ?> calls, long nanos) {
    fetch();
    checkFate();
    if (calls.hasArrived()) {
      return true;
    }
    if (nanos == 0) {
      return false;
    }
    Alarm alarm = nanos == Long.MAX_VALUE ? null : node.wheel().schedule(nanos, new Alarm(this));
    try {
      while (true) {
        if (beginWait()) {
          park(alarm);
          if (alarm != null && stillWaits() && endWait()) {
            return false;
          }
        }
        fetch();
        checkFate();
        if (calls.hasArrived()) {
          return true;
        }
        if (alarm != null && alarm.rang) {
          return false;
        }
      }
    } finally {
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }

  /** Ends a wait after a time. */
  static final class Alarm extends TimerNode {
    private final DirectProcess<?> process;
    private volatile boolean rang;

    Alarm(DirectProcess<?> process) {
      this.process = process;
    }

    @Override
    protected TimerWheel wheel() {
      return process.node.wheel();
    }

    @Override
    protected void fire() {
      rang = true;
      process.wake(null);
    }

    @Override
    protected void closed() {
      fire();
    }
  }

  // ---------------------------------------------------------------- on the node's workers

  /**
   * Called by the JDK when the continuation of the thread can run (or go on), or that of a virtual
   * thread that it has started.
   */
  @Override
  public void execute(Runnable task) {
    Runner caller = Runner.current();
    if (continuation == null || continuation == task) {
      continuation = task;
      node.schedule(this, caller);
    } else {
      node.schedule(new Inherited(task), caller);
    }
  }

  @Override
  protected boolean isNewBody() {
    return runner.worker == null;
  }

  @Override
  public void run(Worker worker) {
    Runnable task = Objects.requireNonNull(continuation);
    runner.worker = worker;
    worker.body = this;
    task.run();
    worker.body = null;
    // The process may be running elsewhere by now: nothing of it may be touched.
  }

  @Override
  public void run() {
    Objects.requireNonNull(continuation).run();
  }

  /**
   * A virtual thread started by the code of this process inherits its scheduler, and so comes here.
   */
  private static final class Inherited extends RunTask {
    private final Runnable task;

    Inherited(Runnable task) {
      this.task = task;
    }

    @Override
    public void run(Worker worker) {
      task.run();
    }

    @Override
    public void run() {
      task.run();
    }
  }
}
