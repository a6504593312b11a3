package io.selvage.kernel;

import io.selvage.kernel.internal.process.Call;

/**
 * Where the reply to one {@linkplain Pid#call call} goes. It is good for one reply: the first one
 * sent reaches the caller, if the caller still waits; every other is dropped and counted.
 *
 * <p>May be handed to any process or thread, and used from any thread. Source: Erlang's alias with
 * mode {@code reply}.
 *
 * @param <R> the reply
 */
public sealed interface ReplyTo<R> permits Call {
  /**
   * Sends the reply. Never blocks.
   *
   * @param reply the reply
   * @throws NullPointerException if {@code reply} is null
   */
  void send(R reply);
}
