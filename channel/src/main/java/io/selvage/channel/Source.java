package io.selvage.channel;

import io.selvage.kernel.Self;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The end of a channel that gives items.
 *
 * @param <T> what goes through it
 */
public sealed interface Source<T> permits Channel {
  /**
   * Takes the next item, waiting for one if there is none.
   *
   * @return the item
   * @throws ChannelClosedException if the channel is closed and empty, or closed during the wait
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  T receive() throws InterruptedException;

  /**
   * Takes the next item, waiting for one no longer than a time.
   *
   * @param timeout how long to wait; zero or more, of any length
   * @return the item, or null if there was none in time
   * @throws ChannelClosedException if the channel is closed and empty, or closed during the wait
   * @throws InterruptedException if the thread was interrupted while it waited
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  @Nullable T receive(Duration timeout) throws InterruptedException;

  /**
   * Like {@link #receive()}, but answers that the channel is closed.
   *
   * @return an item, or that the channel is closed
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  Received<T> receiveOrClosed() throws InterruptedException;

  /**
   * Like {@link #receive(Duration)}, but answers that the channel is closed.
   *
   * @param timeout how long to wait; zero or more, of any length
   * @return an item, or that there was none in time, or that the channel is closed
   * @throws InterruptedException if the thread was interrupted while it waited
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  Received<T> receiveOrClosed(Duration timeout) throws InterruptedException;

  /**
   * Takes the next item, if there is one.
   *
   * @return the item, or null if there is none
   * @throws ChannelClosedException if the channel is closed and empty
   */
  @Nullable T tryReceive();

  /**
   * Like {@link #tryReceive}, but answers that the channel is closed.
   *
   * @return an item, or that there is none, or that the channel is closed
   */
  Received<T> tryReceiveOrClosed();

  /**
   * Takes items and handles each, until the channel is closed and empty or the {@code intake} says
   * that it is enough.
   *
   * @param intake how long to go on
   * @param handler handles each item, on this thread; what it throws is thrown here, and its item
   *     was taken
   * @param <X> what the handler may throw
   * @return how many there were, and why it ended
   * @throws X if the handler does
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  <X extends Exception> IntakeResult receiveEach(Intake intake, ItemHandler<? super T, X> handler)
      throws X, InterruptedException;

  /**
   * Asks for the next item, and does not wait: it comes as a message to the process that calls
   * this. One message for each request, in the order of the requests; ask again for the next.
   *
   * <pre>{@code
   * jobs.requestReceive(self, Msg.Got::new);
   * }</pre>
   *
   * <p>Cost: about 300 bytes until the item comes.
   *
   * @param self the process; most often an event process, whose worker is not blocked by this
   * @param toMessage turns an item, or that the channel is closed, into a message of the process;
   *     runs in it when the message is taken
   * @param <M> the messages of the process
   * @return the request, which ends with the process
   * @throws IllegalStateException if the calling thread does not run the process
   */
  default <M> ChannelRequest requestReceive(
      Self<M> self, Function<? super Received<T>, ? extends M> toMessage) {
    return Select.<Received<T>>cases()
        .receiveOrClosed(this, received -> received)
        .request(self, toMessage);
  }

  /**
   * This end of the channel as a publisher of {@code java.util.concurrent.Flow}. Each subscription
   * receives on a virtual thread of its own while its subscriber has asked for more; as with all
   * who receive, each item goes to one of them. A subscription that is cancelled may get one more
   * item. It completes when the channel is closed and empty.
   *
   * @return the publisher, for any number of subscribers
   */
  default Flow.Publisher<T> publisher() {
    return new SourcePublisher<>(this);
  }
}
