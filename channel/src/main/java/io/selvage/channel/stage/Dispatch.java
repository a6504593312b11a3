package io.selvage.channel.stage;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Which consumer gets an item of a stage. Immutable.
 *
 * @param <T> the items
 */
public sealed interface Dispatch<T> {
  /**
   * The consumer that has asked for most.
   *
   * @param <T> the items
   */
  record ToDemand<T>() implements Dispatch<T> {}

  /**
   * All consumers.
   *
   * @param consumers how many must have subscribed before the first item goes; 1 or more
   * @param <T> the items
   */
  record Broadcast<T>(int consumers) implements Dispatch<T> {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Broadcast {
      if (consumers < 1) {
        throw new IllegalArgumentException(
            "a broadcast was to wait for " + consumers + " consumers: give 1 or more");
      }
    }
  }

  /**
   * The consumer of the item's partition.
   *
   * @param number how many partitions there are; 1 or more
   * @param partitionOf tells the partition of an item, from 0 to one less than {@code number}
   * @param <T> the items
   */
  record Partition<T>(int number, ToIntFunction<? super T> partitionOf) implements Dispatch<T> {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Partition {
      Objects.requireNonNull(partitionOf, "partitionOf");
      if (number < 1) {
        throw new IllegalArgumentException(
            "there were to be " + number + " partitions: give 1 or more");
      }
    }
  }

  /**
   * Each item goes to the consumer that has asked for most and not got it yet; among equals they
   * take turns.
   *
   * <p>Cost: a look at every consumer for each item.
   *
   * @param <T> the items
   * @return the rule
   */
  static <T> Dispatch<T> toDemand() {
    return new ToDemand<>();
  }

  /**
   * Each item goes to every consumer, when all have asked for one: the slowest sets the pace. Who
   * subscribes later gets the items from then on.
   *
   * @param <T> the items
   * @return the rule
   */
  static <T> Dispatch<T> broadcast() {
    return new Broadcast<>(1);
  }

  /**
   * Like {@link #broadcast()}, but the first item waits until so many have subscribed. Later they
   * may be fewer.
   *
   * @param consumers how many; 1 or more
   * @param <T> the items
   * @return the rule
   * @throws IllegalArgumentException if {@code consumers} is less than 1
   */
  static <T> Dispatch<T> broadcast(int consumers) {
    return new Broadcast<>(consumers);
  }

  /**
   * Each item goes to the one consumer that has subscribed to its partition. An item whose
   * partition has no consumer, or one that has not asked, holds up all that come after it.
   *
   * @param number how many partitions there are; 1 or more
   * @param partitionOf tells the partition of an item, from 0 to one less than {@code number};
   *     anything else ends the stage with a failure. Runs in the stage; may be asked twice about an
   *     item.
   * @param <T> the items
   * @return the rule
   * @throws IllegalArgumentException if {@code number} is less than 1
   */
  static <T> Dispatch<T> partition(int number, ToIntFunction<? super T> partitionOf) {
    return new Partition<>(number, partitionOf);
  }

  /**
   * Each item goes to the consumer of the partition in which its key falls, by the key's hash: what
   * has the same key goes to the same consumer, in order.
   *
   * @param number how many partitions there are; 1 or more
   * @param keyOf tells the key of an item; not null
   * @param <T> the items
   * @return the rule
   * @throws IllegalArgumentException if {@code number} is less than 1
   */
  static <T> Dispatch<T> byKey(int number, Function<? super T, ?> keyOf) {
    Objects.requireNonNull(keyOf, "keyOf");
    return new Partition<>(number, item -> partitionOfKey(keyOf.apply(item), number));
  }

  private static int partitionOfKey(Object key, int number) {
    int hash = key.hashCode();
    return Math.floorMod(hash ^ (hash >>> 16), number); // as HashMap: the low bits may be alike
  }
}
