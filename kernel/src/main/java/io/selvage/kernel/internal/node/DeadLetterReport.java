package io.selvage.kernel.internal.node;

import java.util.concurrent.atomic.AtomicLong;

/** When the node's sink is told of dead letters: at the first, then at most once in a while. */
final class DeadLetterReport {
  private static final long PERIOD = 60_000_000_000L;

  /** When the last report was made, in nanoseconds after the first look; negative before it. */
  private final AtomicLong lastReport = new AtomicLong(-PERIOD);

  private final long start = System.nanoTime();
  private final AtomicLong reported = new AtomicLong();

  /** Whether the calling thread is to report now. */
  boolean isDue() {
    long last = lastReport.get();
    long now = System.nanoTime() - start;
    return now - last >= PERIOD && lastReport.compareAndSet(last, now);
  }

  /** How many there are since the last report, of a sum that never falls. */
  long newSince(long sum) {
    return sum - reported.getAndSet(sum);
  }
}
