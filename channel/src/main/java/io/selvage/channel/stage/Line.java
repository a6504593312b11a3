package io.selvage.channel.stage;

import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Pid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One producer and one consumer, from the moment the consumer subscribes until one of them ends it.
 * A subscription that is made anew has another line, so what comes late on an old one is known as
 * late. Compared by identity.
 *
 * @param <T> the items
 */
final class Line<T> {
  final Pid<StageMessage<T, Object>> consumer;
  final Pid<StageMessage<Object, T>> producer;
  final StageSubscription subscription;

  // ---------------------------------------------------------------- of the producer alone

  /** It was not refused, and has not left. */
  boolean joined;

  /** How many it has been asked for and has not given. */
  long demand;

  /** What it gives when it pauses. */
  private List<T> batch = new ArrayList<>();

  @Nullable MonitorRef consumerMonitor;

  // ---------------------------------------------------------------- of the consumer alone

  /** How many were handled and not asked for again. */
  private int handled;

  /** No end was told yet. */
  boolean open = true;

  @Nullable MonitorRef producerMonitor;

  Line(
      Pid<StageMessage<T, Object>> consumer,
      Pid<StageMessage<Object, T>> producer,
      StageSubscription subscription) {
    this.consumer = consumer;
    this.producer = producer;
    this.subscription = subscription;
  }

  // ---------------------------------------------------------------- the producer

  void asked(long items) {
    demand = demand + items < 0 ? Long.MAX_VALUE : demand + items;
  }

  void give(T item) {
    demand--;
    batch.add(item);
  }

  void flush() {
    if (!batch.isEmpty()) {
      List<T> full = batch;
      batch = new ArrayList<>(full.size());
      consumer.send(new StageSignal.Items<>(this, full));
    }
  }

  // ---------------------------------------------------------------- the consumer

  /** An item was handled, which makes room for another. */
  void handledOne() {
    SubscribeOptions options = subscription.options();
    if (++handled >= options.max() - options.min() && open && !options.isManual()) {
      producer.send(new StageSignal.Asked<>(this, handled));
      handled = 0;
    }
  }

  @Override
  public String toString() {
    return "line of " + producer + " to " + consumer;
  }
}
