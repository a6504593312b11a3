package io.selvage.lab.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The times of a piece of work that a program does again and again.
 *
 * <p>The first time in the fresh JVM is the cold one. More follow until the work costs the same
 * again and again, two seconds at most, and are not counted. Then it is done at least three times
 * and for at least three seconds, and the figure is the median. Nothing is collected in between:
 * what a run leaves behind is part of its cost.
 *
 * @param coldNanos how long the first run took
 * @param medianNanos how long the runs that count took
 */
public record Repeats(long coldNanos, long medianNanos) {
  private static final int FEWEST_RUNS = 3;

  /** A test of many programs that has no interest in their figures makes this shorter. */
  private static final String MILLIS = "selvage.lab.repeat.millis";

  /** A piece of work. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does the work once and checks what came of it.
     *
     * @return how many nanoseconds it took without the check
     * @throws Exception if it could not be done, or was done wrong
     */
    long run() throws Exception;
  }

  /**
   * Does a piece of work until its time is known.
   *
   * @param work the work
   * @return its times
   * @throws Exception that of the work
   */
  public static Repeats of(Work work) throws Exception {
    long enough = TimeUnit.MILLISECONDS.toNanos(Integer.getInteger(MILLIS, 3000));
    long start = System.nanoTime();
    long cold = work.run();
    Steadiness steadiness = new Steadiness();
    while (!steadiness.isReached() && System.nanoTime() - start < enough / 3 * 2) {
      steadiness.add(work.run(), 1);
    }
    List<Long> warm = new ArrayList<>();
    long begin = System.nanoTime();
    while (warm.size() < FEWEST_RUNS || System.nanoTime() - begin < enough) {
      warm.add(work.run());
    }
    List<Long> sorted = warm.stream().sorted().toList();
    return new Repeats(cold, sorted.get(sorted.size() / 2));
  }

  /** Fails unless a count is what it must be. */
  static void ensure(String what, long actual, long expected) {
    if (actual != expected) {
      throw new IllegalStateException(what + ": " + actual + " instead of " + expected);
    }
  }
}
