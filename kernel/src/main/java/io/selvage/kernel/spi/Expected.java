package io.selvage.kernel.spi;

import io.selvage.kernel.Self;
import io.selvage.kernel.internal.process.ExpectedMessage;
import java.util.function.Function;

/**
 * A message that something outside the kernel will put into the mailbox of a process once, when it
 * is ready: what a module that is built on the kernel does instead of blocking an event process. It
 * belongs to the process that expects it. Delivered once, or called off, or ended with the process,
 * whichever comes first.
 *
 * @param <N> what it is made from
 */
public sealed interface Expected<N> permits ExpectedMessage {
  /**
   * Begins to expect a message.
   *
   * @param owner who expects it; the calling process
   * @param toMessage makes the message; runs in the process when the message is taken
   * @param onEnd run if the process ends before: takes back whatever others see of this. It must
   *     not wait and must run no user's code.
   * @param <M> the messages of the process
   * @param <N> what it is made from
   * @return what delivers it
   * @throws IllegalStateException if the calling thread does not run the process
   */
  static <M, N> Expected<N> by(
      Self<M> owner, Function<? super N, ? extends M> toMessage, Runnable onEnd) {
    return by(owner, toMessage, news -> news, onEnd);
  }

  /**
   * Begins to expect a message that is made from something which its user would not know again.
   *
   * @param owner who expects it; the calling process
   * @param toMessage makes the message; runs in the process when the message is taken
   * @param letter what a dead letter shows, if the process ends before it takes the message; must
   *     run no user's code
   * @param onEnd run if the process ends before: takes back whatever others see of this. It must
   *     not wait and must run no user's code.
   * @param <M> the messages of the process
   * @param <N> what it is made from
   * @return what delivers it
   * @throws IllegalStateException if the calling thread does not run the process
   */
  static <M, N> Expected<N> by(
      Self<M> owner,
      Function<? super N, ? extends M> toMessage,
      Function<? super N, ?> letter,
      Runnable onEnd) {
    return ExpectedMessage.by(owner, toMessage, letter, onEnd);
  }

  /**
   * Delivers it. Any thread; does not wait, and runs no user's code. If the process has ended, this
   * is a dead letter.
   *
   * @param news what the message is made from
   */
  void deliver(N news);

  /** Calls it off: the end of the process does not matter any more. Any thread. */
  void callOff();
}
