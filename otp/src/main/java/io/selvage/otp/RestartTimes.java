package io.selvage.otp;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The times of the restarts within the last period, by the node's clock. */
final class RestartTimes {
  private final Deque<Long> times = new ArrayDeque<>();
  private final long period;

  RestartTimes(Duration period) {
    this.period = nanos(period);
  }

  /** A restart now; answers how many there were within the period, with this one. */
  int count(long now) {
    times.addLast(now);
    while (now - times.getFirst() > period) {
      times.removeFirst();
    }
    return times.size();
  }

  /** Of any length: what is too long for a {@code long} is the longest. */
  static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0
        ? Long.MAX_VALUE
        : duration.toNanos();
  }
}
