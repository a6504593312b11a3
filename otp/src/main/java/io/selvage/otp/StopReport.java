package io.selvage.otp;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the stop of {@link Applications} went.
 *
 * @param stops each that ran, in the order in which they were stopped
 */
public record StopReport(List<Stop> stops) {
  /** How one application stopped. */
  public enum How {
    /** It ended in its time. */
    IN_ORDER,
    /** It was killed, since its time was over. */
    KILLED,
    /** It was killed, and still runs: its code neither returns, blocks, nor calls the kernel. */
    STILL_RUNNING
  }

  /**
   * The stop of one application.
   *
   * @param name its name
   * @param how how it ended
   * @param took how long it took
   */
  public record Stop(String name, How how, Duration took) {}

  /** Holds a copy of the list. */
  public StopReport {
    stops = List.copyOf(stops);
  }

  /**
   * Those that did not stop in order.
   *
   * @return the stops; empty if all is well
   */
  public List<Stop> late() {
    return stops.stream().filter(stop -> stop.how() != How.IN_ORDER).toList();
  }

  /** In words. */
  @Override
  public String toString() {
    return stops.stream()
        .map(stop ->
            stop.name()
                + switch (stop.how()) {
                  case IN_ORDER -> " stopped in ";
                  case KILLED -> " did not stop in time and was killed after ";
                  case STILL_RUNNING -> " did not stop, was killed, and still runs after ";
                }
                + stop.took().toMillis()
                + " ms")
        .collect(Collectors.joining("; "));
  }
}
