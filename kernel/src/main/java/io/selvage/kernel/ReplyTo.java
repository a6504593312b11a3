package io.selvage.kernel;

import io.selvage.kernel.internal.process.Call;
import java.time.Duration;
import java.util.Optional;

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

  /**
   * Whether a reply can still reach the caller: it has not been answered, has not given up, and has
   * not ended. For work that is done elsewhere than in the process that was asked, and so is not
   * skipped by itself when its caller has gone.
   *
   * @return the answer, which may be out of date when it is read
   */
  boolean isOpen();

  /**
   * How long the caller still waits, by the clock of its node. Calls that are made while the
   * request is handled know this by themselves; see {@link Self#timeLeft}.
   *
   * @return the time, zero if the caller has given up; empty if it waits without limit, does not
   *     wait at all (a timeout of zero), or has been answered
   */
  Optional<Duration> timeLeft();
}
