package io.selvage.kernel;

/**
 * Unwinds the code of a process that was ended by an exit signal. It runs {@code finally} blocks on
 * its way out. Catching it does not save the process: every further kernel call throws it again. An
 * {@link Error} so that ordinary {@code catch (Exception e)} lets it pass.
 */
public final class ProcessEndedError extends Error {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the kernel.
   *
   * @param reason why the process was ended
   */
  public ProcessEndedError(ExitReason reason) {
    super("the process was ended by an exit signal: " + reason, null, false, false);
  }
}
