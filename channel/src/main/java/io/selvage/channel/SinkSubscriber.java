package io.selvage.channel;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends to a channel what a publisher publishes; see {@link Channel#subscriber}. A thread of its
 * own sends, since a subscriber must not block its publisher; and it asks for the next item when
 * one was sent, so no more than one is outside the channel.
 *
 * @param <T> what goes through the channel
 */
final class SinkSubscriber<T> implements Flow.Subscriber<T>, Runnable {
  private final Channel<T> channel;
  private final Consumer<? super Throwable> onFailure;
  private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

  /** What has come and is not sent yet; closed when no more will come. */
  private final Channel<T> arrived = Channel.unbounded();

  SinkSubscriber(Channel<T> channel, Consumer<? super Throwable> onFailure) {
    this.channel = channel;
    this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    Objects.requireNonNull(given, "subscription");
    if (subscription.compareAndSet(null, given)) {
      Thread _ = Thread.ofVirtual().name("channel-subscriber").start(this);
    } else {
      given.cancel();
    }
  }

  @Override
  public void onNext(T item) {
    SendResult _ = arrived.trySendOrClosed(item); // closed: it has been cancelled
  }

  @Override
  public void onError(Throwable failure) {
    Objects.requireNonNull(failure, "failure");
    try {
      onFailure.accept(failure);
    } finally {
      arrived.close();
    }
  }

  @Override
  public void onComplete() {
    arrived.close();
  }

  @Override
  public void run() {
    Flow.Subscription from = Objects.requireNonNull(subscription.get());
    try {
      from.request(1);
      while (arrived.receiveOrClosed() instanceof Received.Item<T>(T item)) {
        if (channel.sendOrClosed(item) == SendResult.CLOSED) {
          break;
        }
        from.request(1);
      }
    } catch (InterruptedException
        | RuntimeException
        | Error e) { // from a publisher, or a channel that fails
      onFailure.accept(e);
    } finally {
      from.cancel(); // no effect if the publisher has ended it
      arrived.closeDropping();
      channel.close();
    }
  }
}
