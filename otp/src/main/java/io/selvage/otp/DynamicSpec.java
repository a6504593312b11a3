package io.selvage.otp;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What a {@link DynamicSupervisor} does. Immutable; each method answers a changed copy. Source: the
 * options of Elixir's {@code DynamicSupervisor}.
 *
 * @param maxChildren how many children it has at most; 1 or more
 * @param limits how many restarts are too many, and how long the end may take
 */
public record DynamicSpec(int maxChildren, SupervisorLimits limits) {
  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if {@code maxChildren} is less than 1
   */
  public DynamicSpec {
    Objects.requireNonNull(limits, "limits");
    if (maxChildren < 1) {
      throw new IllegalArgumentException(
          "the most children are "
              + maxChildren
              + ", but it is a number of processes: give 1 or more");
    }
  }

  /**
   * Any number of children, one restart within five seconds.
   *
   * @return the defaults
   */
  public static DynamicSpec defaults() {
    return new DynamicSpec(Integer.MAX_VALUE, SupervisorLimits.DEFAULT);
  }

  /**
   * How many children it has at most; the start of more is refused.
   *
   * @param most 1 or more
   * @return a changed copy
   * @throws IllegalArgumentException if {@code most} is less than 1
   */
  public DynamicSpec withMaxChildren(int most) {
    return new DynamicSpec(most, limits);
  }

  /**
   * How many restarts are too many; see {@link SupervisorSpec#withIntensity}.
   *
   * @param intensity how many are allowed; zero or more
   * @param period within which time; more than zero
   * @return a changed copy
   * @throws IllegalArgumentException if one is out of its range
   */
  public DynamicSpec withIntensity(int intensity, Duration period) {
    return new DynamicSpec(maxChildren, limits.withIntensity(intensity, period));
  }

  /**
   * How long the end of the whole tree below may take; see {@link SupervisorSpec#withDeadline}.
   *
   * @param deadline how long; zero or more
   * @return a changed copy
   * @throws IllegalArgumentException if it is negative
   */
  public DynamicSpec withDeadline(Duration deadline) {
    return new DynamicSpec(maxChildren, limits.withDeadline(deadline));
  }

  /**
   * Who is told what happens, beside the log; see {@link SupervisorSpec#reportingTo}.
   *
   * @param listener is told in the supervisor
   * @return a changed copy
   */
  public DynamicSpec reportingTo(Consumer<? super SupervisorReport> listener) {
    return new DynamicSpec(maxChildren, limits.reportingTo(listener));
  }
}
