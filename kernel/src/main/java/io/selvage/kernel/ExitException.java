package io.selvage.kernel;

import java.util.Objects;

/**
 * Thrown by a process to end itself with a chosen reason. If it leaves the body or handler, the
 * process ends with exactly that reason, without the wrapping {@link ExitReason.Crash} that other
 * exceptions get. It can be caught like any exception; an exit <em>signal</em> cannot.
 *
 * <p>Carries no stack trace. Source: {@code erlang:exit/1}.
 */
public final class ExitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ExitReason reason;

  /**
   * An exit with a reason.
   *
   * @param reason the reason
   */
  public ExitException(ExitReason reason) {
    super(String.valueOf(Objects.requireNonNull(reason, "reason")), null, false, false);
    this.reason = reason;
  }

  /**
   * An exit with a reason, and with words for whoever catches it.
   *
   * @param reason the reason
   * @param message what happened
   */
  public ExitException(ExitReason reason, String message) {
    super(message, null, false, false);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /**
   * The reason.
   *
   * @return the reason
   */
  public ExitReason reason() {
    return reason;
  }
}
