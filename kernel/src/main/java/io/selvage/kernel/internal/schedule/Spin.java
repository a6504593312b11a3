package io.selvage.kernel.internal.schedule;

/**
 * Waits a moment before a thread parks. To park a thread and wake it again costs 10 to 40
 * microseconds on a virtual machine; what a worker without work waits for, or a handler for the
 * answer of a process on another worker, has most often come by then.
 *
 * <p>The moment is shorter than what it saves, so in the worst case a wait costs twice; and it is
 * waited once for each time that a thread runs out of work, so an idle node still uses no processor
 * time. Where there is a single processor nobody could end the wait, so there is none.
 *
 * <p>Measured: 100,000 children that a supervisor starts, each with a handshake, take 0.53 seconds
 * instead of 3.0 to 3.5; waiting in one of the two places only does not help, since the other still
 * wakes a thread.
 */
public final class Spin {
  /** How long. */
  private static final long NANOS = 20_000;

  private static final boolean SINGLE = Runtime.getRuntime().availableProcessors() == 1;

  private Spin() {}

  /** When a wait begins. Asked once for each, by a thread that holds no lock. */
  public static long start() {
    return System.nanoTime();
  }

  /**
   * Lets a little of the moment pass. Allocates nothing: memory may be short where threads wait.
   *
   * @param start when the wait began
   * @return whether to look again; false if the moment is over
   */
  public static boolean goesOn(long start) {
    Thread.onSpinWait();
    return !SINGLE && System.nanoTime() - start < NANOS;
  }
}
