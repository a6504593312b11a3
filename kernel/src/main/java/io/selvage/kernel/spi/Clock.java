package io.selvage.kernel.spi;

import io.selvage.kernel.internal.time.SystemClock;

/**
 * Where a node's time comes from: monotonic nanoseconds from an arbitrary start. All of a node's
 * timers and timeouts of receives and calls follow it, so a test can move time by hand. What bounds
 * real threads (closing a node, watching handlers) is measured in real time. Wall-clock time is
 * never used.
 *
 * <p>Implementations must be safe for use by many threads.
 */
public interface Clock {
  /**
   * The present time.
   *
   * @return nanoseconds; never less than an answer given before; only differences have a meaning,
   *     and they may wrap around
   */
  long nanoTime();

  /**
   * Parks the calling thread until the time reaches a deadline, until {@link #wake}, or for no
   * reason at all. Called by the node's timer thread only.
   *
   * @param deadline in the nanoseconds of {@link #nanoTime}
   */
  void parkUntil(long deadline);

  /**
   * Ends the present or next {@link #parkUntil} of a thread early.
   *
   * @param thread the thread that parks, or will
   */
  void wake(Thread thread);

  /**
   * The clock of the machine, {@link System#nanoTime}.
   *
   * @return the clock
   */
  static Clock system() {
    return SystemClock.INSTANCE;
  }
}
