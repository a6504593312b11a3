package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import java.time.Duration;

/**
 * Why a supervisor ended by itself: the detail of its exit reason {@link ExitReason.Shutdown}.
 *
 * <pre>{@code
 * case ExitReason.Shutdown(SupervisorEnd.TooManyRestarts(var child, var reason, _, _, _)) -> …
 * }</pre>
 *
 * <p>If the child was a supervisor that ended by itself, its reason holds the next one down, and so
 * on to the process where it began: {@link #root}.
 */
public sealed interface SupervisorEnd {
  /**
   * The child because of which it ended.
   *
   * @return its id
   */
  String child();

  /**
   * Why that child ended, or was not started.
   *
   * @return the reason
   */
  ExitReason reason();

  /**
   * There were more restarts than its intensity allows.
   *
   * @param child the child that would have been restarted next
   * @param reason why that ended
   * @param restarts how many restarts there were within the period, with that one
   * @param intensity how many are allowed
   * @param period within which time
   */
  record TooManyRestarts(
      String child, ExitReason reason, int restarts, int intensity, Duration period)
      implements SupervisorEnd {
    @Override
    public String toString() {
      return restarts
          + " restarts within "
          + period
          + ", but "
          + intensity
          + " allowed; last "
          + text(this);
    }
  }

  /**
   * A significant child has ended.
   *
   * @param child the child
   * @param reason why
   */
  record SignificantChild(String child, ExitReason reason) implements SupervisorEnd {
    @Override
    public String toString() {
      return "significant child ended: " + text(this);
    }
  }

  /**
   * A child could not be started when the supervisor itself was.
   *
   * @param child the child
   * @param reason why
   */
  record StartFailed(String child, ExitReason reason) implements SupervisorEnd {
    @Override
    public String toString() {
      return "a child was not started: " + text(this);
    }
  }

  /**
   * The reason where it all began: that of the process furthest down.
   *
   * @return a reason that is no supervisor's own end
   */
  default ExitReason root() {
    ExitReason reason = reason();
    while (reason instanceof ExitReason.Shutdown(SupervisorEnd deeper)) {
      reason = deeper.reason();
    }
    return reason;
  }

  /** The way down to where it began, in one line, however long; no recursion. */
  private static String text(SupervisorEnd end) {
    StringBuilder path = new StringBuilder(end.child());
    SupervisorEnd last = end;
    while (last.reason() instanceof ExitReason.Shutdown(SupervisorEnd deeper)) {
      path.append('/').append(deeper.child());
      last = deeper;
    }
    return path + ": " + last.reason();
  }
}
