package io.selvage.kernel;

/**
 * The code of a <em>direct</em> process: straight-line code that runs once, on a virtual thread of
 * its own, and may block. When it returns, the process ends with {@link ExitReason.Normal}; when it
 * throws, with the reason thrown.
 *
 * @param <M> the messages the process accepts
 */
@FunctionalInterface
public interface Body<M> {
  /**
   * Runs the process.
   *
   * @param self the process, as its own code sees it; good only on the thread that runs the body
   * @throws Exception to end the process with {@link ExitReason.Crash}, or with the reason of an
   *     {@link ExitException}
   */
  void run(DirectSelf<M> self) throws Exception;
}
