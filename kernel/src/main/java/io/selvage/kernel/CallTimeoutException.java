package io.selvage.kernel;

/**
 * A {@linkplain Pid#call call} got no reply in time. The called process may handle the request just
 * now, and its reply is dropped; if it had not begun to, it does not.
 */
public final class CallTimeoutException extends CallException {
  private static final long serialVersionUID = 1L;

  /**
   * A call that took too long.
   *
   * @param message what happened
   */
  public CallTimeoutException(String message) {
    super(message, new ExitReason.Crash(new java.util.concurrent.TimeoutException(message)));
  }
}
