package io.selvage.kernel;

import io.selvage.kernel.internal.time.TimerNode;

/**
 * A message on its way through time; see {@link Self#sendAfter}. Belongs to its process and ends
 * with it.
 */
public sealed interface Timer permits TimerNode {
  /**
   * Cancels the timer. May be called from any thread; constant time; the timer's memory is free
   * afterwards.
   *
   * <p>If its owner gets false, the message is already in its mailbox (or was handled): unlike in
   * Erlang, a look at the mailbox after a lost race always finds it.
   *
   * @return true if this call won and the message will never come; false if it came, or the timer
   *     was cancelled before
   */
  boolean cancel();
}
