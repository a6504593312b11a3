package io.selvage.kernel.internal.process;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.schedule.Worker;
import io.selvage.kernel.spi.SystemMessage;
import org.jspecify.annotations.Nullable;

/**
 * A process whose code is a {@link Behavior}. It has no thread: when a signal finds it waiting, the
 * scheduler gives it a turn, in which it handles what has come.
 *
 * @param <M> the messages the process accepts
 */
public final class EventProcess<M> extends LocalProcess<M> {
  /**
   * The behavior for the next message; after an exit signal has ended the process, a marker with
   * the reason. Owner only.
   */
  private Behavior<M> behavior;

  EventProcess(LocalNode node, Behavior<M> behavior, boolean idle) {
    super(node, idle);
    this.behavior = behavior;
  }

  @Override
  void launch(@Nullable Runner runner) {
    wake(runner);
  }

  @Override
  void wake(@Nullable Runner runner) {
    node.schedule(this, runner);
  }

  /**
   * A worker's thread belongs to others too: the watch interrupts it, once it knows that this
   * process holds it.
   */
  @Override
  void interrupt() {
    condemn();
  }

  @Override
  void clearInterrupt() {
    Runner runner = Runner.current();
    if (runner != null && runner.worker != null) {
      runner.worker.reprieve(this);
    } else {
      reprieve();
    }
  }

  @Override
  @Nullable ExitReason fate() {
    return (Behavior<?>) behavior instanceof Behaviors.Doomed doomed ? doomed.reason : null;
  }

  @Override
  @SuppressWarnings("unchecked") // never called with a message
  void seal(ExitReason reason) {
    behavior = (Behavior<M>) (Behavior<?>) new Behaviors.Doomed(reason, Behaviors.code(behavior));
  }

  @Override
  @SuppressWarnings("unchecked") // never called with a message
  void sealEnded() {
    behavior = (Behavior<M>) (Behavior<?>) Behaviors.ENDED;
  }

  /** The class of the behavior, for reports. Any thread; may be out of date. */
  public String behaviorName() {
    return behavior.getClass().getName();
  }

  @Override
  public @Nullable Class<?> presentCode() {
    return Behaviors.code(behavior);
  }

  @Override
  @Nullable Object presentState() {
    Behavior<M> present = behavior;
    if (present instanceof SystemMessage.Receiver receiver) {
      return receiver.shownState();
    }
    return Behaviors.canBeginIdle(present) && !present.getClass().isHidden() ? present : null;
  }

  @Override
  SystemMessage.@Nullable Receiver receiver() {
    return behavior instanceof SystemMessage.Receiver receiver ? receiver : null;
  }

  /** A turn on a thread that is no worker's: that of a scheduler of the user's own. */
  @Override
  public void run() {
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
    Runner runner = new Runner();
    runner.thread = thread;
    thread.setUncaughtExceptionHandler(runner);
    try {
      turn(runner, null);
    } finally {
      thread.setUncaughtExceptionHandler(handler);
    }
  }

  @Override
  public void run(Worker worker) {
    turn(worker.runner, worker);
  }

  /** Handles what has come, up to the node's number of messages for a turn. */
  private void turn(Runner runner, @Nullable Worker worker) {
    runner.process = this;
    ExitReason end;
    try {
      end = handle(runner, worker);
    } catch (Throwable failure) {
      afterHandler(worker);
      fetchExit();
      end = reasonOf(failure);
    }
    runner.serving = null;
    runner.process = null;
    if (end != null) {
      try {
        terminate(end);
      } catch (Throwable failure) {
        node.fault("ending " + this, failure);
      }
    }
  }

  /** Answers why the process ends, or null if it goes on. */
  private @Nullable ExitReason handle(Runner runner, @Nullable Worker worker) throws Exception {
    if (!Behaviors.canBeginIdle(behavior)) {
      Behavior<M> first = Behaviors.first(behavior, this);
      afterHandler(worker);
      ExitReason stop = Behaviors.stopReason(first);
      if (stop != null) {
        return stop;
      }
      if (fate() == null) {
        behavior = first;
      }
    }
    if (isMuted()) {
      Mute mute = mute();
      if (mute != null) {
        Backpressure.end(mute);
      }
    }
    int left = node.turn;
    while (true) {
      if (runner.serving != null) {
        runner.serving = null;
      }
      Object message = fate() != null || left == 0 ? null : nextMessage();
      if (message == null) {
        ExitReason fate = fate();
        if (fate != null) {
          return fate;
        }
        if (isPressed()) {
          endMeasuredHandler();
          if (Backpressure.givesWay(this)) {
            return null;
          }
          left = 0;
        }
        if (left == 0 || hasUnread()) {
          endMeasuredHandler();
          node.scheduleLater(this, worker);
          return null;
        }
        if (beginWait()) {
          return null;
        }
        continue;
      }
      left--;
      try {
        Behavior<M> present = behavior;
        @SuppressWarnings("unchecked") // senders were held to M by javac
        Behavior<M> answer = present.onMessage(this, (M) message);
        if (answer != present) {
          Behavior<M> next = Behaviors.next(present, answer);
          ExitReason stop = Behaviors.stopReason(next);
          if (stop != null) {
            if (!stop.isOrderly()) {
              failedWith(message);
            }
            return stop;
          }
          if (behavior == present) { // else an exit signal has ended the process meanwhile
            behavior = next;
          }
        }
      } catch (Throwable failure) {
        failedWith(message);
        throw failure;
      }
      afterHandler(worker);
    }
  }

  /** What one handler leaves behind on its thread must not be seen by the next. */
  private static void afterHandler(@Nullable Worker worker) {
    if (worker != null) {
      worker.afterHandler();
    } else {
      Thread.interrupted();
    }
  }
}
