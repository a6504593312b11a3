package io.selvage.kernel;

/**
 * A {@linkplain Pid#call call} got no reply in time. The called process may still handle the
 * request; its reply is dropped.
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
