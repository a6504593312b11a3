package io.selvage.kernel;

import io.selvage.kernel.internal.process.MessageCall;

/**
 * One asynchronous call; see {@link Self#request}. Compared by identity. Belongs to the process
 * that made it and ends with it.
 *
 * <p>Source: {@code gen_server:request_id()}.
 */
public sealed interface RequestRef permits MessageCall {
  /**
   * Gives the call up: the message with its outcome will not come any more, and if it is in the
   * mailbox already, it is taken out. A reply is dropped and counted ({@link
   * NodeStats#lateReplies}). The called process still handles the request. A kernel call of the
   * process that made the request.
   *
   * <p>Cost: constant, but for a message that is in the mailbox: then it is looked for there.
   *
   * @return false if the message has been received, or the call was given up before
   * @throws IllegalStateException if the calling thread does not run the process that made the
   *     request
   */
  boolean abandon();
}
