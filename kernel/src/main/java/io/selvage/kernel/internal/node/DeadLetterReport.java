package io.selvage.kernel.internal.node;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When the node's sink is told of dead letters: of the first in a minute, and of its 10th, 100th
 * and so on. So a flood is told while it lasts, by few reports, and one that comes before the
 * minute is over is told with the first of the next.
 */
final class DeadLetterReport {
  private static final long PERIOD = 60_000_000_000L;

  /** When the present minute began, in nanoseconds after the first look; negative before it. */
  private final AtomicLong begun = new AtomicLong(-PERIOD);

  /** How many there were in it; roughly, where two threads begin it. */
  private final AtomicLong inPeriod = new AtomicLong();

  /** At how many of them the next report is made. */
  private final AtomicLong next = new AtomicLong(1);

  private final long start = System.nanoTime();
  private final AtomicLong reported = new AtomicLong();

  /**
   * Counts one. Answers whether the calling thread is to report now.
   *
   * @param mayReport whether it may
   */
  boolean isDue(boolean mayReport) {
    long last = begun.get();
    long now = System.nanoTime() - start;
    if (now - last >= PERIOD && begun.compareAndSet(last, now)) {
      inPeriod.set(0);
      next.set(1);
    }
    long count = inPeriod.incrementAndGet();
    long due = next.get();
    return mayReport && count >= due && next.compareAndSet(due, after(count));
  }

  /** The next power of ten. */
  private static long after(long count) {
    long power = 10;
    while (power <= count) {
      power *= 10;
    }
    return power;
  }

  /** How many there are since the last report, of a sum that never falls. */
  long newSince(long sum) {
    return sum - reported.getAndSet(sum);
  }
}
