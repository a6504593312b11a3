package io.selvage.peers;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts what many processes report, without making them meet in one counter, and lets one thread
 * wait for a number by looking again and again. Whoever started the program limits how long.
 */
public final class Tally {
  private static final long LOOK_EVERY_NANOS = 20_000;

  private final LongAdder count = new LongAdder();

  /** Nothing counted yet. */
  public Tally() {}

  /** Counts one. */
  public void increment() {
    count.increment();
  }

  /**
   * Counts several.
   *
   * @param many how many
   */
  public void add(long many) {
    count.add(many);
  }

  /**
   * What has been counted.
   *
   * @return the count
   */
  public long sum() {
    return count.sum();
  }

  /**
   * Waits until so many have been counted, and begins anew.
   *
   * @param expected how many
   * @return the count
   */
  public long await(long expected) {
    while (count.sum() < expected) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    return count.sumThenReset();
  }
}
