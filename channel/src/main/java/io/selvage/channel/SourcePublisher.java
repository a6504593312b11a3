package io.selvage.channel;

import io.selvage.kernel.spi.Waiter;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what comes out of a channel; see {@link Source#publisher}.
 *
 * @param source the channel
 * @param <T> what goes through it
 */
record SourcePublisher<T>(Source<T> source) implements Flow.Publisher<T> {
  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    Thread _ =
        Thread.ofVirtual().name("channel-publisher").start(new Subscribed<>(source, subscriber));
  }

  /**
   * One subscription: a thread that receives while there is demand, so that the channel keeps what
   * nobody has asked for.
   */
  private static final class Subscribed<T> implements Flow.Subscription, Runnable {
    private final Source<T> source;
    private final Flow.Subscriber<? super T> subscriber;
    private final AtomicLong demand = new AtomicLong();

    /** Closed to end a wait for an item. Nothing goes through it. */
    private final Channel<Boolean> stop = Channel.rendezvous();

    private volatile boolean cancelled;
    private volatile @Nullable IllegalArgumentException badRequest;

    /** The thread of this subscription, once it runs; {@link #request} may come before. */
    private volatile @Nullable Waiter waiter;

    Subscribed(Source<T> source, Flow.Subscriber<? super T> subscriber) {
      this.source = source;
      this.subscriber = subscriber;
    }

    @Override
    public void request(long n) {
      if (n <= 0) {
        badRequest =
            new IllegalArgumentException(
                n + " items were requested, but rule 3.9 of Reactive Streams wants at least 1");
        stop.close();
      } else {
        long _ = demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
      }
      wake();
    }

    @Override
    public void cancel() {
      cancelled = true;
      stop.close();
      wake();
    }

    private void wake() {
      Waiter thread = waiter;
      if (thread != null) {
        thread.wake();
      }
    }

    @Override
    public void run() {
      Waiter thread = Waiter.current();
      waiter = thread;
      try {
        subscriber.onSubscribe(this);
        publish(thread);
      } catch (InterruptedException e) {
        subscriber.onError(e);
      }
    }

    private void publish(Waiter thread) throws InterruptedException {
      Select<Received<T>> next =
          Select.<Received<T>>cases()
              .receiveOrClosed(source, received -> received)
              .receiveOrClosed(stop, _ -> new Received.None<>());
      while (true) {
        boolean _ =
            thread.await(
                () -> demand.get() > 0 || cancelled || badRequest != null, Waiter.FOR_EVER);
        IllegalArgumentException bad = badRequest;
        if (cancelled) {
          return;
        }
        if (bad != null) {
          subscriber.onError(bad);
          return;
        }
        switch (next.select()) {
          case Received.Item<T>(T item) -> {
            if (demand.get() != Long.MAX_VALUE) { // which is for ever
              demand.getAndDecrement();
            }
            subscriber.onNext(item);
          }
          case Received.Closed<T> _ -> {
            subscriber.onComplete();
            return;
          }
          case Received.None<T> _ -> {} // cancelled, or a bad request
        }
      }
    }
  }
}
