package io.selvage.kernel;

import io.selvage.kernel.internal.time.TimerNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A message on its way through time, once or again and again; see {@link Self#sendAfter} and {@link
 * Self#sendEvery}. Belongs to a process and ends with it, or to the node.
 *
 * <p>May be used by any thread. Each method takes constant time.
 */
public sealed interface Timer permits TimerNode {
  /**
   * Cancels the timer. The node keeps nothing of it afterwards; whoever keeps this object keeps its
   * message.
   *
   * <p>If this answers false, the message is in the mailbox already (or was handled, or the process
   * has ended): unlike in Erlang, a look at the mailbox after a lost race always finds it. A timer
   * that repeats sends no more whatever the answer: true says that none of its messages waits in
   * the mailbox, false that one may.
   *
   * <p>Source: {@code erlang:cancel_timer/1}.
   *
   * @return true if this call won and no message will come any more; false if it came, or the timer
   *     was cancelled before
   */
  boolean cancel();

  /**
   * Cancels the timer, as {@link #cancel}, and answers how much time was left.
   *
   * @return the time that was left, if this call won; empty where {@link #cancel} answers false
   */
  Optional<Duration> cancelRemaining();

  /**
   * How much time is left. A delay of more than 292 years counts as 292 years.
   *
   * <p>Source: {@code erlang:read_timer/1}.
   *
   * @return the time until it fires next, zero if it is about to; empty if it has fired or was
   *     cancelled, or if it repeats and its last message was not taken yet
   */
  Optional<Duration> remaining();
}
