package io.selvage.otp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a {@link Supervisor} does. Immutable; each method answers a changed copy. Source: the
 * supervisor flags and child specifications of {@code supervisor:init}.
 *
 * @param strategy who is restarted when a child ends
 * @param limits how many restarts are too many, and how long the end may take
 * @param autoShutdown whether it ends when significant children have ended
 * @param children whom it starts at its own start, in this order
 */
public record SupervisorSpec(
    Strategy strategy,
    SupervisorLimits limits,
    AutoShutdown autoShutdown,
    List<ChildSpec<?, ?>> children) {
  /**
   * Checks the children.
   *
   * @throws IllegalArgumentException if two have the same id, or one is significant and the
   *     supervisor never ends because of that
   */
  public SupervisorSpec {
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(autoShutdown, "autoShutdown");
    Objects.requireNonNull(children, "children");
    int number = 0;
    for (ChildSpec<?, ?> child : children) {
      number++;
      if (child == null) {
        throw new NullPointerException(
            "child "
                + number
                + " of "
                + children.size()
                + " is null: give the specification of a child, or leave it out");
      }
    }
    children = List.copyOf(children);
    Set<String> ids = new HashSet<>();
    for (ChildSpec<?, ?> child : children) {
      if (!ids.add(child.id())) {
        throw new IllegalArgumentException(
            "two children have the id \"" + child.id() + "\": give each an id of its own");
      }
      checkSignificant(autoShutdown, child.traits());
    }
  }

  static void checkSignificant(AutoShutdown autoShutdown, ChildTraits child) {
    if (child.significant() && autoShutdown == AutoShutdown.NEVER) {
      throw new IllegalArgumentException(
          "the child \""
              + child.id()
              + "\" is significant, but its supervisor never shuts down because of that: choose"
              + " AutoShutdown.ANY_SIGNIFICANT or ALL_SIGNIFICANT, or leave significant() out");
    }
  }

  /**
   * A supervisor that restarts only the child that ended.
   *
   * @param children whom it starts, in this order
   * @return the specification
   * @throws IllegalArgumentException if two have the same id
   */
  public static SupervisorSpec oneForOne(ChildSpec<?, ?>... children) {
    return of(Strategy.ONE_FOR_ONE, children);
  }

  /**
   * A supervisor that restarts all children when one ends.
   *
   * @param children whom it starts, in this order
   * @return the specification
   * @throws IllegalArgumentException if two have the same id
   */
  public static SupervisorSpec oneForAll(ChildSpec<?, ?>... children) {
    return of(Strategy.ONE_FOR_ALL, children);
  }

  /**
   * A supervisor that restarts the child that ended, and those started after it.
   *
   * @param children whom it starts, in this order
   * @return the specification
   * @throws IllegalArgumentException if two have the same id
   */
  public static SupervisorSpec restForOne(ChildSpec<?, ?>... children) {
    return of(Strategy.REST_FOR_ONE, children);
  }

  private static SupervisorSpec of(Strategy strategy, ChildSpec<?, ?>... children) {
    return new SupervisorSpec(
        strategy, SupervisorLimits.DEFAULT, AutoShutdown.NEVER, Arrays.asList(children));
  }

  /**
   * Another child, started after those before.
   *
   * @param child the child
   * @return a changed copy
   * @throws IllegalArgumentException if its id is taken
   */
  public SupervisorSpec with(ChildSpec<?, ?> child) {
    List<ChildSpec<?, ?>> more = new ArrayList<>(children);
    more.add(child);
    return new SupervisorSpec(strategy, limits, autoShutdown, more);
  }

  /**
   * How many restarts are too many: when there were more than {@code intensity} of them within a
   * period, the supervisor stops its children and ends. Failed attempts to restart count. 1 in 5
   * seconds if never called.
   *
   * @param intensity how many are allowed; zero or more
   * @param period within which time; more than zero
   * @return a changed copy
   * @throws IllegalArgumentException if one is out of its range
   */
  public SupervisorSpec withIntensity(int intensity, Duration period) {
    return new SupervisorSpec(
        strategy, limits.withIntensity(intensity, period), autoShutdown, children);
  }

  /**
   * Whether it ends by itself when significant children have. Choose it before adding such
   * children.
   *
   * @param choice the choice
   * @return a changed copy
   */
  public SupervisorSpec withAutoShutdown(AutoShutdown choice) {
    return new SupervisorSpec(strategy, limits, choice, children);
  }

  /**
   * How long the end of the whole tree below may take, whatever its children say: then all that is
   * left of it is killed, and a {@link SupervisorReport.DeadlineOver} tells who used the time up.
   *
   * @param deadline how long; zero or more
   * @return a changed copy
   * @throws IllegalArgumentException if it is negative
   */
  public SupervisorSpec withDeadline(Duration deadline) {
    return new SupervisorSpec(strategy, limits.withDeadline(deadline), autoShutdown, children);
  }

  /**
   * Who is told what happens, beside the log.
   *
   * @param listener is told in the supervisor, which waits for it; if it throws it is told no more,
   *     and the log says so
   * @return a changed copy
   */
  public SupervisorSpec reportingTo(Consumer<? super SupervisorReport> listener) {
    return new SupervisorSpec(strategy, limits.reportingTo(listener), autoShutdown, children);
  }
}
