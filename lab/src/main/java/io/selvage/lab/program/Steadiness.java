package io.selvage.lab.program;

import java.util.concurrent.TimeUnit;

/**
 * Tells when a program has become as fast as it will: when the compilers of the JVM have done what
 * they do while it warms up. Used by one thread.
 *
 * <p>The work is cut into windows of a fifth of a second, and the last three must have had the same
 * cost by the unit, but for a twentieth. Shorter windows would take the plateau between two
 * compilers for the end; a mere number of calls says nothing, because the two hundredth ring of ten
 * processes still runs uncompiled.
 */
final class Steadiness {
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final double SAME = 1.05;

  /** Costs by the unit in the windows that are complete, the last one first; 0 if there is none. */
  private double last;

  private double second;
  private double third;

  /** The window that is being filled. */
  private long nanos;

  private long units;

  /**
   * Takes a piece of work.
   *
   * @param nanosTaken how long it took
   * @param unitsDone how much it was
   */
  void add(long nanosTaken, long unitsDone) {
    nanos += nanosTaken;
    units += unitsDone;
    if (nanos >= WINDOW_NANOS && units > 0) {
      third = second;
      second = last;
      last = (double) nanos / units;
      nanos = 0;
      units = 0;
    }
  }

  /** Whether the last three windows were alike. */
  boolean isReached() {
    double least = Math.min(last, Math.min(second, third));
    double most = Math.max(last, Math.max(second, third));
    return least > 0 && most <= SAME * least;
  }
}
