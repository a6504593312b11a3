package io.selvage.otp;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How the end of a supervisor's tree went.
 *
 * @param total how long it took
 * @param children each child that was stopped, in the order in which they ended
 */
public record ShutdownReport(Duration total, List<Stop> children) {
  /**
   * The end of one child.
   *
   * @param path the ids of the supervisors below the one that reports, and its own: {@code
   *     "orders/till"}
   * @param took how long it took to end, from when it was asked to
   * @param killed whether it had to be killed because its time, or the tree's, was over
   */
  public record Stop(String path, Duration took, boolean killed) {}

  /** Holds a copy of the list. */
  public ShutdownReport {
    children = List.copyOf(children);
  }

  /**
   * Whether nobody had to be killed.
   *
   * @return true if all ended in time
   */
  public boolean isClean() {
    return children.stream().noneMatch(Stop::killed);
  }

  /**
   * Who used the time up: of those that had to be killed, the one that was asked to stop longest
   * ago.
   *
   * @return empty if nobody had to be killed
   */
  public Optional<Stop> slowest() {
    return children.stream().filter(Stop::killed).max(Comparator.comparing(Stop::took));
  }
}
