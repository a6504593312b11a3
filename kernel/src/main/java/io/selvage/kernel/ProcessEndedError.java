package io.selvage.kernel;

/**
 * Unwinds the code of a process that was ended by an exit signal. It runs {@code finally} blocks on
 * its way out. Catching it does not save the process: every further kernel call throws it again. An
 * {@link Error} so that ordinary {@code catch (Exception e)} lets it pass.
 */
public final class ProcessEndedError extends Error {
  private static final long serialVersionUID = 1L;

  private final transient ExitReason reason;

  /**
   * Made by the kernel.
   *
   * @param reason why the process was ended
   */
  public ProcessEndedError(ExitReason reason) {
    super(null, null, false, false);
    this.reason = reason;
  }

  /**
   * The text is made here: a reason whose text cannot be made must not keep a process from ending.
   */
  @Override
  public String getMessage() {
    return "the process was ended by an exit signal: " + reason;
  }
}
