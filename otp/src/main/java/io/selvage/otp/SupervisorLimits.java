package io.selvage.otp;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What supervisors of all kinds have in common: how many restarts are too many, how long their end
 * may take, and who is told. Immutable.
 *
 * @param intensity how many restarts are allowed within a period; zero or more
 * @param period the period; more than zero
 * @param deadline how long the end of the whole tree may take; empty for any time
 * @param listener is told what happens, beside the log
 */
public record SupervisorLimits(
    int intensity,
    Duration period,
    Optional<Duration> deadline,
    Optional<Consumer<? super SupervisorReport>> listener) {
  /** One restart within five seconds, any time to end, nobody told. */
  static final SupervisorLimits DEFAULT =
      new SupervisorLimits(1, Duration.ofSeconds(5), Optional.empty(), Optional.empty());

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public SupervisorLimits {
    Objects.requireNonNull(period, "period");
    Objects.requireNonNull(deadline, "deadline");
    Objects.requireNonNull(listener, "listener");
    if (intensity < 0) {
      throw new IllegalArgumentException(
          "the intensity is "
              + intensity
              + ", but it is a number of restarts: give 0 to allow none, or more");
    }
    if (!period.isPositive()) {
      throw new IllegalArgumentException(
          "the period of the intensity is " + period + ", but it must be more than zero");
    }
    if (deadline.isPresent() && deadline.get().isNegative()) {
      throw new IllegalArgumentException(
          "the deadline is "
              + deadline.get()
              + ", but it is a time to stop within: give zero or more");
    }
  }

  SupervisorLimits withIntensity(int newIntensity, Duration newPeriod) {
    return new SupervisorLimits(newIntensity, newPeriod, deadline, listener);
  }

  SupervisorLimits withDeadline(Duration newDeadline) {
    return new SupervisorLimits(
        intensity, period, Optional.of(Objects.requireNonNull(newDeadline, "deadline")), listener);
  }

  SupervisorLimits reportingTo(Consumer<? super SupervisorReport> newListener) {
    return new SupervisorLimits(
        intensity, period, deadline, Optional.of(Objects.requireNonNull(newListener, "listener")));
  }
}
