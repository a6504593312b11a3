package io.selvage.kernel.internal.time;

import io.selvage.kernel.Timer;
import io.selvage.kernel.internal.process.LocalProcess;
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
 * <p>All fields are guarded by the lock of the wheel; the step from FIRING to FIRED is taken
 * outside it and read without it.
 */
public abstract non-sealed class TimerNode implements Timer {
  static final int NEW = -1;
  static final int FIRING = -2;
  static final int FIRED = -3;
  static final int CANCELLED = -4;

  /** The wheel it is in. */
  @Nullable TimerWheel wheel;

  /** When it is due, in ticks of the wheel. */
  long deadline;

  /** The bucket it is in, or one of the states above. */
  volatile int state = NEW;

  @Nullable TimerNode previous;
  @Nullable TimerNode next;
  @Nullable TimerNode previousOwned;
  @Nullable TimerNode nextOwned;

  /** A timer that has not been scheduled. */
  protected TimerNode() {}

  /**
   * Does what the timer is for. Runs on the timer thread, or on the thread that schedules it if it
   * is due at once: must not block and must not run user code.
   */
  protected abstract void fire();

  /** The process with which this timer ends, or null. */
  protected @Nullable LocalProcess<?> owner() {
    return null;
  }

  @Override
  public final boolean cancel() {
    TimerWheel w = wheel;
    return w != null && w.cancel(this);
  }
}
