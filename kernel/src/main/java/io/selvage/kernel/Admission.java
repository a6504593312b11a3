package io.selvage.kernel;

import io.selvage.kernel.internal.time.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * Admission by waiting time: refuses requests that have waited too long in the mailbox of a process
 * which does not keep up, so that it serves those that are fresh. Part of its {@link
 * Limits#withAdmission Limits}.
 *
 * <pre>{@code
 * Limits.<Msg>none().withAdmission(Admission.standard())
 * }</pre>
 *
 * <p>A process that is asked for more than it can do answers everybody late, and in the end nobody
 * in time, however hard it works. What tells that it does not keep up is not a long mailbox, which
 * a burst makes and which is gone a moment later, but that for a whole interval even the request
 * that waited least waited longer than the target. From then on, until an interval has had one that
 * waited less, a request that has waited longer than twice the target when its turn comes is
 * refused: its call fails at once with {@link Refused}, the process does not see it, and it is a
 * dead letter with the cause {@code OVERLOADED}.
 *
 * <p>Never refused are the request behind which nothing waits, so that a process whose requests
 * take longer than the target works on; what it has stashed, since it has seen that already;
 * requests that were answered by somebody else; and requests to the kernel's own behaviours, such
 * as those of {@code Sys}. Messages that are no requests are not counted: nobody would be told.
 *
 * <p>Cost: a read of the clock when a request is made and two when it is taken. Exact by the
 * {@linkplain io.selvage.kernel.spi.Clock clock} of the node.
 *
 * <p>Source: CoDel (K. Nichols, V. Jacobson, "Controlling Queue Delay", ACM Queue 10(5), 2012; RFC
 * 8289), in the form that servers use (B. Maurer, "Fail at Scale", ACM Queue 13(8), 2015): CoDel's
 * own law drops one packet after the other, more and more often, and counts on senders that send
 * less for each; callers do not.
 *
 * @param target how long a request may wait; more than zero
 * @param interval how long all must have waited longer; longer than the target
 */
public record Admission(Duration target, Duration interval) {
  private static final Admission STANDARD =
      new Admission(Duration.ofMillis(5), Duration.ofMillis(100));

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if {@code target} is not more than zero, or {@code interval}
   *     is not more than that
   */
  public Admission {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(interval, "interval");
    if (!target.isPositive()) {
      throw new IllegalArgumentException(
          "the target of an admission is "
              + target
              + ", but it is how long a request may wait: give more than zero, such as 5 ms");
    }
    if (interval.compareTo(target) <= 0) {
      throw new IllegalArgumentException(
          "the interval of an admission is "
              + interval
              + ", but its target is "
              + target
              + ": give a longer interval, such as twenty times the target");
    }
  }

  /**
   * A target of 5 ms and an interval of 100 ms: the values that both sources give.
   *
   * @return the admission
   */
  public static Admission standard() {
    return STANDARD;
  }

  @Override
  public String toString() {
    return "target " + text(target) + ", interval " + text(interval);
  }

  private static String text(Duration duration) {
    return DurationText.of(duration);
  }

  /**
   * Why a call failed: the called process does not keep up, and the request had waited too long.
   * The process has not seen it.
   *
   * @param waited how long it had waited
   * @param admission what the process admits
   */
  public record Refused(Duration waited, Admission admission) implements ExitReason.UserReason {
    /** Checks the values. */
    public Refused {
      Objects.requireNonNull(waited, "waited");
      Objects.requireNonNull(admission, "admission");
    }

    @Override
    public String toString() {
      return "refused(after " + text(waited) + ": " + admission + ")";
    }
  }
}
