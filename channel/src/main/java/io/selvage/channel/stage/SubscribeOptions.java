package io.selvage.channel.stage;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a consumer is subscribed to a producer. Immutable: each method answers a changed copy.
 *
 * <p>At each moment the items that the consumer has asked for and has not handled, wherever they
 * are, are no more than {@code max}. Large numbers cost memory, and save messages: items travel
 * together, as many as the producer makes in one go.
 *
 * @param min the consumer asks for more when no more than so many are left; 0 or more
 * @param max how many it asks for at first, and has to handle at most; more than {@code min}; 0 for
 *     a manual subscription
 * @param mode what the end of the subscription means for the consumer
 * @param partition which partition of the producer it wants, or -1 for a producer that has none
 * @param retry how long after a failure of the producer to subscribe anew, or null not to
 */
public record SubscribeOptions(
    int min, int max, Mode mode, int partition, @Nullable Duration retry) {
  /**
   * What the end of a subscription means for the consumer. It has <em>completed</em> if the
   * producer had no more items, ended with {@code normal} or {@code shutdown}, or if the
   * subscription was cancelled; else it has failed. Before it completes the consumer handles all
   * that was on its way.
   *
   * <p>Source: {@code GenStage}, whose default is permanent and which knows no completion: there a
   * transient consumer never ends when its producers do.
   */
  public enum Mode {
    /**
     * A failure ends the consumer, with the same reason. When the subscription has completed and it
     * was the last one, the consumer completes.
     */
    TRANSIENT,
    /** Either ends the consumer, with the same reason, whatever other subscriptions it has. */
    PERMANENT,
    /** Neither ends the consumer. */
    TEMPORARY
  }

  private static final int NO_PARTITION = -1;
  private static final SubscribeOptions DEFAULTS =
      new SubscribeOptions(500, 1000, Mode.TRANSIENT, NO_PARTITION, null);
  private static final SubscribeOptions MANUAL =
      new SubscribeOptions(0, 0, Mode.TRANSIENT, NO_PARTITION, null);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a number is out of its range, or {@code retry} is negative
   */
  public SubscribeOptions {
    Objects.requireNonNull(mode, "mode");
    boolean isManual = min == 0 && max == 0;
    if (!isManual && (max < 1 || min < 0 || min >= max)) {
      throw new IllegalArgumentException(
          "the demand is at least "
              + min
              + " and at most "
              + max
              + ": give a maximum of 1 or more, and a minimum from 0 to one less than that");
    }
    if (partition < NO_PARTITION) {
      throw new IllegalArgumentException(
          "the partition is " + partition + ", but partitions are counted from 0");
    }
    if (retry != null && retry.isNegative()) {
      throw new IllegalArgumentException(
          "the pause before subscribing anew is " + retry + ": give zero or more");
    }
  }

  /**
   * At most 1000 items at once, asked for again by 500.
   *
   * @return the options
   */
  public static SubscribeOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Limits how many items are on their way to the consumer, or before it.
   *
   * @param min the consumer asks for more when no more than so many are left; 0 or more
   * @param max how many it asks for at first, and has to handle at most; more than {@code min}
   * @return the options
   * @throws IllegalArgumentException if {@code max} is less than 1, {@code min} is negative, or not
   *     less than {@code max}
   */
  public static SubscribeOptions demand(int min, int max) {
    return new SubscribeOptions(min, ensurePositive(max), Mode.TRANSIENT, NO_PARTITION, null);
  }

  private static int ensurePositive(int max) {
    if (max < 1) {
      throw new IllegalArgumentException(
          "the maximal demand is "
              + max
              + ", with which no item would ever come: give 1 or more, or manual() to ask by hand");
    }
    return max;
  }

  /**
   * Asks for nothing by itself; see {@link StageSubscription#ask}.
   *
   * @return the options
   */
  public static SubscribeOptions manual() {
    return MANUAL;
  }

  /**
   * Changes what the end of the subscription means for the consumer.
   *
   * @param choice the mode; {@link Mode#TRANSIENT} if this is never called
   * @return a changed copy
   */
  public SubscribeOptions ending(Mode choice) {
    return new SubscribeOptions(min, max, choice, partition, retry);
  }

  /**
   * Chooses a partition of a producer that has some; see {@link Dispatch#partition}.
   *
   * @param number which; counted from 0
   * @return a changed copy
   * @throws IllegalArgumentException if {@code number} is negative
   */
  public SubscribeOptions inPartition(int number) {
    if (number < 0) {
      throw new IllegalArgumentException(
          "the partition is " + number + ", but partitions are counted from 0");
    }
    return new SubscribeOptions(min, max, mode, number, retry);
  }

  /**
   * Subscribes anew, again and again, when the producer has failed or was not there, instead of
   * what the mode says then. Only for producers that have a name. What was asked for by hand has to
   * be asked for again.
   *
   * @param pause how long to wait before each attempt; zero or more
   * @return a changed copy
   * @throws IllegalArgumentException if {@code pause} is negative
   */
  public SubscribeOptions retrying(Duration pause) {
    return new SubscribeOptions(min, max, mode, partition, Objects.requireNonNull(pause, "pause"));
  }

  /**
   * Whether the consumer asks by hand.
   *
   * @return true for {@link #manual}
   */
  public boolean isManual() {
    return max == 0;
  }
}
