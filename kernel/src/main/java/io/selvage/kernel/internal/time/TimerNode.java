package io.selvage.kernel.internal.time;

import io.selvage.kernel.Timer;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.Signal;
import io.selvage.kernel.internal.process.StackReserve;
import org.jspecify.annotations.Nullable;

/**
 * One timer: a node in a list of the {@link TimerWheel}, and in the list of the process that owns
 * it.
 *
 * <pre>
 *   NEW ── schedule ──► in bucket 0…511 ── cancel ──► CANCELLED
 *                            │ due
 *                            ▼
 *                         FIRING ── fired, on the timer thread ──► FIRED
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

  /** When it is due, in ticks of the wheel. */
  long deadline;

  /** The bucket it is in, or one of the states above. */
  volatile int state = NEW;

  @Nullable TimerNode previous;
  @Nullable TimerNode previousOwned;
  @Nullable TimerNode nextOwned;

  /** A timer that has not been scheduled. */
  protected TimerNode() {}

  /**
   * Does what the timer is for. Runs on the timer thread, or on the thread that schedules it if it
   * is due at once: must not block and must not run user code.
   */
  protected abstract void fire();

  /**
   * The node has closed, and this timer will not fire: whoever waits for it must not wait any more.
   */
  protected void closed() {}

  /** The process with which this timer ends, or null. */
  protected @Nullable LocalProcess<?> owner() {
    return null;
  }

  /** The wheel it is in. */
  protected abstract TimerWheel wheel();

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
}
