package io.selvage.kernel;

import io.selvage.kernel.internal.process.ProcessAlias;

/**
 * A second address of a process, which the process can revoke; see {@link Self#alias}. While it is
 * active, a message sent to it reaches the mailbox. Once it is not, messages vanish and are counted
 * ({@link NodeStats#undelivered}): also those that are on their way, which is what an alias is for.
 * A process that has stopped waiting for answers revokes the alias they come to, and need not tell
 * late answers from others.
 *
 * <p>An alias is no {@link Address}: it cannot be watched. Whoever needs to know of the process's
 * end needs its pid.
 *
 * <p>May be handed to any process or thread, and used from any thread. Compared by identity.
 * Source: {@code erlang:alias/1}.
 *
 * @param <T> what may be sent to it
 */
public sealed interface Alias<T> permits ProcessAlias {
  /**
   * Sends a message. Whatever one sender sends to the aliases and the pid of one process arrives in
   * the order sent. It goes as what {@link Pid#send} sends, the sender being held back or made to
   * wait for the same reasons: {@link Marks} and {@link Limits}. Replies, which are what an alias
   * in mode {@code REPLY} or {@code REPLY_DEMONITOR} takes, never wait.
   *
   * <p>Cost: as {@link Pid#send}.
   *
   * @param message the message
   * @throws NullPointerException if {@code message} is null
   */
  void send(T message);

  /**
   * Sends a message that goes before all ordinary messages that the process has not received,
   * behind earlier priority messages that it has not received. An alias that was not made with
   * {@link AliasOptions#withPriority} sends it as an ordinary message: it is the receiver who
   * allows others to overtake.
   *
   * <p>So of one sender's messages to one process, those with priority arrive in the order sent,
   * the others arrive in the order sent, and one with priority may overtake others that were sent
   * before. It never overtakes other signals: an {@link Exit} or {@link Down} that becomes a
   * message takes its place among the ordinary ones.
   *
   * <p>No limit of the process counts it: who lets others overtake wants to hear of them when it
   * has most to do. One that is sent as an ordinary message counts as that.
   *
   * <p>Source: {@code erlang:send/3} with {@code priority}, of Erlang/OTP 28.
   *
   * @param message the message
   * @throws NullPointerException if {@code message} is null
   */
  void sendPriority(T message);

  /**
   * Whether messages still arrive.
   *
   * @return false once it was revoked or its process has ended; true may be out of date when it is
   *     read
   */
  boolean isActive();
}
