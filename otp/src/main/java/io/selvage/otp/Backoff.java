package io.selvage.otp;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a supervisor waits before it starts a child again: each time longer, and by chance a
 * little shorter, so that many that failed together do not come back together. Meanwhile the child
 * shows as {@link ChildState#RESTARTING}, and the supervisor does all its other work. Each attempt
 * still counts for its intensity. Immutable.
 *
 * @param first the wait before the first restart; more than zero
 * @param longest what no wait exceeds; not less than {@code first}
 * @param factor by how much each wait is longer than the one before; 1 or more
 * @param jitter the part of each wait that is left to chance; 0 (none) to 1
 * @param reset a child that has run for so long begins with {@code first} again; zero or more
 */
public record Backoff(
    Duration first, Duration longest, double factor, double jitter, Duration reset) {
  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public Backoff {
    if (!first.isPositive()) {
      throw new IllegalArgumentException(
          "the first back-off is "
              + first
              + ", but it is a time to wait before a restart: give more than zero, or no back-off");
    }
    if (longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "the longest back-off is "
              + longest
              + ", less than the first, "
              + first
              + ": give the same or more");
    }
    if (!(factor >= 1) || factor > 1000) {
      throw new IllegalArgumentException(
          "the factor of the back-off is " + factor + ", but it must be from 1 to 1000");
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException(
          "the jitter of the back-off is "
              + jitter
              + ", but it is a part of the wait: give 0 to 1");
    }
    if (reset.isNegative()) {
      throw new IllegalArgumentException(
          "the reset of the back-off is "
              + reset
              + ", but it is a time that a child has run: give zero or more");
    }
  }

  /**
   * Waits that double, a fifth of each left to chance; begun anew after a child has run for the
   * longest of them.
   *
   * @param first the wait before the first restart; more than zero
   * @param longest what no wait exceeds; not less than {@code first}
   * @return the choice
   * @throws IllegalArgumentException if one is out of its range
   */
  public static Backoff doubling(Duration first, Duration longest) {
    return new Backoff(first, longest, 2, 0.2, longest);
  }

  /** The wait before a restart, of which this is the {@code attempt}th in a row, from 0. */
  Duration wait(int attempt, RandomGenerator random) {
    double most = nanos(longest);
    double nanos = Math.min(most, nanos(first) * Math.pow(factor, Math.min(attempt, 1_000_000)));
    return Duration.ofNanos((long) (nanos * (1 - jitter * random.nextDouble())));
  }

  /** Whether a child that has run for so many nanoseconds begins with the first wait again. */
  boolean isAnewAfter(long nanos) {
    return Duration.ofNanos(nanos).compareTo(reset) >= 0;
  }

  /** Of any length: what is too long for a {@code long} is rounded. */
  private static double nanos(Duration duration) {
    return (double) duration.toSeconds() * 1e9 + duration.toNanosPart();
  }
}
