package io.selvage.channel;

import io.selvage.kernel.Self;
import java.time.Duration;
import java.util.function.Function;

/**
 * The end of a channel that takes items.
 *
 * <p>An item must not be {@code null}, and must not be changed after it was sent.
 *
 * @param <T> what goes through it
 */
public sealed interface Sink<T> permits Channel {
  /**
   * Sends an item, waiting for room as the channel's {@link Overflow} says: for ever, or for its
   * time and then dropping or refusing something.
   *
   * @param item the item
   * @return what became of it; never {@link SendResult#CLOSED}, and always {@link SendResult#SENT}
   *     if the channel waits for ever
   * @throws ChannelClosedException if the channel is closed, or closed during the wait
   * @throws ChannelFullException if there was no room, and the rule is to fail
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  SendResult send(T item) throws InterruptedException;

  /**
   * Sends an item, waiting for room no longer than a time, which replaces that of the channel's
   * {@link Overflow}. What that says then is done when it is over; a channel that would wait for
   * ever refuses.
   *
   * @param item the item
   * @param timeout how long to wait; zero or more, of any length
   * @return what became of it; never {@link SendResult#CLOSED}
   * @throws ChannelClosedException if the channel is closed, or closed during the wait
   * @throws ChannelFullException if there was no room, and the rule is to fail
   * @throws InterruptedException if the thread was interrupted while it waited
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  SendResult send(T item, Duration timeout) throws InterruptedException;

  /**
   * Like {@link #send(Object)}, but answers that the channel is closed.
   *
   * @param item the item
   * @return what became of it
   * @throws ChannelFullException if there was no room, and the rule is to fail
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  SendResult sendOrClosed(T item) throws InterruptedException;

  /**
   * Like {@link #send(Object, Duration)}, but answers that the channel is closed.
   *
   * @param item the item
   * @param timeout how long to wait; zero or more, of any length
   * @return what became of it
   * @throws ChannelFullException if there was no room, and the rule is to fail
   * @throws InterruptedException if the thread was interrupted while it waited
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  SendResult sendOrClosed(T item, Duration timeout) throws InterruptedException;

  /**
   * Sends an item without waiting: as {@link #send(Object, Duration)} with a timeout of zero.
   *
   * @param item the item
   * @return what became of it; never {@link SendResult#CLOSED}
   * @throws ChannelClosedException if the channel is closed
   * @throws ChannelFullException if there is no room, and the rule is to fail
   */
  SendResult trySend(T item);

  /**
   * Like {@link #trySend}, but answers that the channel is closed.
   *
   * @param item the item
   * @return what became of it
   * @throws ChannelFullException if there is no room, and the rule is to fail
   */
  SendResult trySendOrClosed(T item);

  /**
   * Sends an item as soon as there is room, and does not wait: a message to the process that calls
   * this tells when it was sent, or that the channel is closed. The channel's {@link Overflow} has
   * no part in it.
   *
   * @param item the item
   * @param self the process; most often an event process, whose worker is not blocked by this
   * @param toMessage turns {@link SendResult#SENT} or {@link SendResult#CLOSED} into a message of
   *     the process; runs in it when the message is taken
   * @param <M> the messages of the process
   * @return the request, which ends with the process
   * @throws IllegalStateException if the calling thread does not run the process
   */
  default <M> ChannelRequest requestSend(
      T item, Self<M> self, Function<? super SendResult, ? extends M> toMessage) {
    return Select.<SendResult>cases()
        .sendOrClosed(this, () -> item, result -> result)
        .request(self, toMessage);
  }
}
