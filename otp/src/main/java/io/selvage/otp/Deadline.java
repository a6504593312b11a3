package io.selvage.otp;

import java.time.Duration;

/** A moment until which something may take; for several waits that share one timeout. */
record Deadline(long from, Duration timeout) {
  /** Longer than anybody waits, and short enough to be counted in nanoseconds. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  static Deadline in(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "the timeout is " + timeout + ", but it is a time to wait: give zero or more");
    }
    return new Deadline(System.nanoTime(), timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout);
  }

  /** How long is left; zero when it is over. */
  Duration left() {
    long left = timeout.toNanos() - (System.nanoTime() - from);
    return Duration.ofNanos(Math.max(0, left));
  }
}
