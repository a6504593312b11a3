package io.selvage.kernel.internal.time;

import io.selvage.kernel.Timer;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.Signal;
import io.selvage.kernel.internal.process.StackReserve;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One timer: a node in a list of the {@link TimerWheel}, and in the list of the process that owns
 * it.
 *
 * <pre>
 *   NEW ── schedule ──► in bucket 0…511 ── cancel ──► CANCELLED
 *                         │  ▲ due
 *                         ▼  └──────── again, if it repeats ──────────┐
 *                         FIRING ── fired, on the timer thread ──► FIRED ── cancel, if it repeats ──► CANCELLED
 * </pre>
 *
 * <p>A timer is a signal, too: one that sends a message is pushed itself when it fires, so that
 * firing allocates nothing. Before that, {@link Signal#next} is its neighbour in the bucket.
 *
 * <p>All fields are guarded by the lock of the wheel; the step from FIRING to FIRED is taken
 * outside it and read without it.
 */
public abstract non-sealed class TimerNode extends Signal implements Timer {
  static final int NEW = -1;
  static final int FIRING = -2;
  static final int FIRED = -3;
  static final int CANCELLED = -4;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(TimerNode.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** When it is due, in nanoseconds of the wheel's time. */
  long deadline;

  /**
   * The bucket it is in, or one of the states above. Written by {@link #setState}, most often under
   * the lock; the read without it in {@link TimerWheel#cancel} pairs with the write of FIRED: who
   * sees that sees the message in the mailbox.
   */
  volatile int state;

  @Nullable TimerNode previous;
  @Nullable TimerNode previousOwned;
  @Nullable TimerNode nextOwned;

  /** A timer that has not been scheduled. */
  protected TimerNode() {
    setState(NEW);
  }

  /**
   * Enters a state by a release write: the lock orders all else, and a volatile write would cost
   * setting and cancelling a fence each.
   */
  final void setState(int next) {
    STATE.setRelease(this, next);
  }

  /**
   * Does what the timer is for. Runs on the timer thread, or on the thread that schedules it if it
   * is due at once: must not block and must not run user code.
   */
  protected abstract void fire();

  /**
   * The node has closed, and this timer will not fire: whoever waits for it must not wait any more.
   */
  protected void closed() {}

  /** Whether the timer may be set again after it has fired. */
  protected boolean repeats() {
    return false;
  }

  /** Whether another thread than that of its owner may have set it. */
  protected boolean isFromOther() {
    return false;
  }

  /** Asked under the lock: whether its owner has come to its end, so that it is not set. */
  protected boolean isRefused() {
    return false;
  }

  /**
   * The timer will not fire because its owner has ended: for counting a message that reached
   * nobody.
   */
  protected void dropped() {}

  /** The process with which this timer ends, or null. */
  protected @Nullable LocalProcess<?> owner() {
    return null;
  }

  /** The wheel it is in. */
  protected abstract TimerWheel wheel();

  /**
   * How long until it is due, in nanoseconds; the greatest there is if it was never set, or is due
   * at the end of time. For who was told of the timer after it was set, and so needs no lock.
   */
  protected final long nanosUntilDue() {
    return state == NEW || deadline == TimerWheel.END_OF_TIME
        ? Long.MAX_VALUE
        : deadline - wheel().now();
  }

  /**
   * How many timers the owner has, kept in the first of them: a process has no field for it. Under
   * the lock.
   */
  final int ownedCount() {
    return countBeforePush();
  }

  final void ownedCount(int count) {
    countBeforePush(count);
  }

  /** The neighbour behind in the bucket. */
  final @Nullable TimerNode following() {
    return (TimerNode) next;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    throw new IllegalStateException("this timer sends no message");
  }

  @Override
  public final boolean cancel() {
    StackReserve.ensure();
    return wheel().cancel(this);
  }

  @Override
  public final Optional<Duration> cancelRemaining() {
    StackReserve.ensure();
    TimerWheel wheel = wheel();
    return wheel.cancel(this) ? Optional.of(wheel.until(deadline)) : Optional.empty();
  }

  @Override
  public final Optional<Duration> remaining() {
    StackReserve.ensure();
    return wheel().remaining(this);
  }
}
