package io.selvage.kernel;

import java.util.Objects;

/**
 * A {@linkplain Pid#call call} failed because the called process ended, was not there, or was the
 * caller itself, or because the caller was interrupted. Source: the exits of {@code
 * gen_server:call}.
 */
public sealed class CallException extends RuntimeException permits CallTimeoutException {
  private static final long serialVersionUID = 1L;

  private final transient ExitReason reason;

  /**
   * A failed call.
   *
   * @param message what happened
   * @param reason the reason with which the called process ended, {@link ExitReason.NoProc} if it
   *     was not there
   */
  public CallException(String message, ExitReason reason) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /**
   * Why the call failed.
   *
   * @return the reason with which the called process ended; {@link ExitReason.NoProc} if it was not
   *     there; {@link ExitReason.Crash} with the cause if the fault is the caller's (a call to
   *     itself, an interrupt, a timeout)
   */
  public ExitReason reason() {
    return reason;
  }
}
