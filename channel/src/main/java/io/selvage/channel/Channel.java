package io.selvage.channel;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * A queue owned by nobody. Any number of processes and threads send to it and receive from it; each
 * item goes to one receiver, in the order in which the items were sent. Unlike a mailbox it
 * outlives its users, can be full, and can be closed.
 *
 * <pre>{@code
 * Channel<Job> jobs = Channel.bounded(100);
 * node.spawn(self -> {
 *   while (jobs.receiveOrClosed() instanceof Received.Item<Job>(Job job)) {
 *     work(job);
 *   }
 * });
 * jobs.send(new Job("one")); // waits while 100 others do
 * jobs.close();
 * }</pre>
 *
 * <p><b>Waiting.</b> Who must wait is served in the order of arrival. A process that is ended while
 * it waits leaves no trace: what it wanted to send is not in the channel, and no item was taken for
 * it. If both happen at once, either the process ended first, or the item was handed over first.
 * The handler of an event process may wait, too, and its worker runs others meanwhile.
 *
 * <p><b>Interrupts.</b> An interrupt ends a wait by {@link InterruptedException}, and nothing was
 * sent or received. Who need not wait is not interrupted.
 *
 * <p>Any thread may call any method. To send, to receive and to select are kernel calls: in a
 * process that an exit signal has ended they throw {@link io.selvage.kernel.ProcessEndedError}.
 * Closing is none, so that a {@code finally} may do it.
 *
 * <p>Cost: a lock for each call, held for a few instructions; 24 bytes for each item inside; for a
 * wait about 100 bytes. Source: SObjectizer's {@code mchain}, and Go's {@code chan}.
 *
 * @param <T> what goes through it
 */
public sealed interface Channel<T> extends Sink<T>, Source<T> permits LocalChannel {
  /**
   * A channel without room: each item goes from the hands of its sender into those of a receiver,
   * and the one waits for the other.
   *
   * @param <T> what goes through it
   * @return the channel
   */
  static <T> Channel<T> rendezvous() {
    return bounded(0);
  }

  /**
   * A channel whose senders wait when it is full.
   *
   * @param capacity how many items it holds; zero makes a {@link #rendezvous}. No memory is taken
   *     for room that is not used, so {@link Integer#MAX_VALUE} costs what 1 does.
   * @param <T> what goes through it
   * @return the channel
   * @throws IllegalArgumentException if {@code capacity} is negative
   */
  static <T> Channel<T> bounded(int capacity) {
    return bounded(capacity, Overflow.block());
  }

  /**
   * A channel with a rule for what happens when it is full.
   *
   * @param capacity how many items it holds; zero makes a rendezvous, which is full unless a
   *     receiver waits
   * @param overflow the rule
   * @param <T> what goes through it
   * @return the channel
   * @throws IllegalArgumentException if {@code capacity} is negative, or zero with a rule that
   *     drops the oldest item inside
   */
  static <T> Channel<T> bounded(int capacity, Overflow overflow) {
    return LocalChannel.of(capacity, overflow);
  }

  /**
   * A channel that is never full, and whose senders never wait. Only memory limits it: prefer a
   * bounded one unless something else bounds what is sent.
   *
   * @param <T> what goes through it
   * @return the channel
   */
  static <T> Channel<T> unbounded() {
    return LocalChannel.unbounded();
  }

  /**
   * Takes no more items, and keeps what is inside: it is received as before, and then the channel
   * shows itself closed. Who waits to send learns at once that the channel is closed, and what he
   * wanted to send is not stored; so does who waits to receive. Closing again has no effect.
   */
  void close();

  /**
   * Closes the channel like {@link #close} and drops what is inside: receivers find it closed at
   * once. After {@code close} it drops what that has kept. What is dropped is counted.
   */
  void closeDropping();

  /**
   * A subscriber of {@code java.util.concurrent.Flow} that sends to this channel what it is given,
   * on a virtual thread of its own, and asks for one more whenever one was sent: so a full channel
   * slows the publisher. An {@link Overflow} that drops or refuses does so here, too. When the
   * publisher ends, the channel is closed and keeps what is inside; when the channel is closed, the
   * subscription is cancelled with the next item.
   *
   * @param onFailure is told why the publisher has failed, on its thread, or why this has, on a
   *     thread of its own, as by {@link Overflow#fail}; before the channel is closed
   * @return the subscriber, for one publisher
   */
  Flow.Subscriber<T> subscriber(Consumer<? super Throwable> onFailure);

  /**
   * Whether the channel was closed; there may be items left to receive.
   *
   * @return true once {@link #close} or {@link #closeDropping} was called
   */
  boolean isClosed();

  /**
   * How much it is used, at one moment.
   *
   * @return the counters
   */
  ChannelStats stats();
}
