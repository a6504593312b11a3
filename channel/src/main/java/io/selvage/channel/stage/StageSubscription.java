package io.selvage.channel.stage;

import io.selvage.kernel.Address;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's subscription to a producer, to be steered from outside. Any thread may call any
 * method; each is a message to the consumer, and has no effect once the subscription has ended.
 */
public final class StageSubscription {
  /** Null until the consumer runs, for one that its stage was made with. */
  private final @Nullable Pid<StageMessage<Object, Object>> consumer;

  private final Address<StageMessage<Object, Object>> producer;
  private final SubscribeOptions options;

  @SuppressWarnings("unchecked") // whoever makes one has checked that the items fit
  StageSubscription(@Nullable Pid<?> consumer, Address<?> producer, SubscribeOptions options) {
    this.consumer = (Pid<StageMessage<Object, Object>>) consumer;
    this.producer = (Address<StageMessage<Object, Object>>) Objects.requireNonNull(producer);
    this.options = Objects.requireNonNull(options, "options");
    if (options.retry() != null && !(producer instanceof Name<?>)) {
      throw new IllegalArgumentException(
          "the subscription to "
              + producer
              + " is to be made anew when that has failed, but a pid never comes back: subscribe to"
              + " a name, or leave retrying(…) out");
    }
    if (producer.equals(consumer)) {
      throw new IllegalArgumentException(
          producer + " was to subscribe to itself: it would wait for its own items for ever");
    }
  }

  Address<StageMessage<Object, Object>> producer() {
    return producer;
  }

  /**
   * Its options.
   *
   * @return the options
   */
  public SubscribeOptions options() {
    return options;
  }

  private Pid<StageMessage<Object, Object>> consumer() {
    return Objects.requireNonNull(consumer, "only what Stage.subscribe answers is steered");
  }

  void begin() {
    consumer().send(new StageSignal.Subscribe<>(this));
  }

  /**
   * Asks the producer for more items, beside those that were asked for before.
   *
   * @param items how many; 1 or more
   * @throws IllegalArgumentException if {@code items} is less than 1
   * @throws IllegalStateException if the subscription is not {@linkplain SubscribeOptions#manual
   *     manual}
   */
  public void ask(int items) {
    if (items < 1) {
      throw new IllegalArgumentException(
          items + " items were asked for from " + producer + ": ask for 1 or more");
    }
    if (!options.isManual()) {
      throw new IllegalStateException(
          "the subscription to "
              + producer
              + " asks by itself, for at most "
              + options.max()
              + ": subscribe with SubscribeOptions.manual() to ask by hand");
    }
    consumer().send(new StageSignal.AskByHand<>(this, items));
  }

  /**
   * Ends the subscription. What the producer has given until it learns of this is handled; then the
   * subscription has completed, and its {@link SubscribeOptions.Mode} says what that means.
   */
  public void cancel() {
    consumer().send(new StageSignal.CancelByHand<>(this));
  }

  @Override
  public String toString() {
    return "subscription of " + consumer + " to " + producer;
  }
}
