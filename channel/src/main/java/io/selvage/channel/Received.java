package io.selvage.channel;

import java.util.Objects;

/**
 * What came of receiving, as a value.
 *
 * @param <T> what goes through the channel
 */
public sealed interface Received<T> {
  /**
   * An item.
   *
   * @param item the item
   * @param <T> what goes through the channel
   */
  record Item<T>(T item) implements Received<T> {
    /** An item. */
    public Item {
      Objects.requireNonNull(item, "item");
    }
  }

  /**
   * There was no item in time.
   *
   * @param <T> what goes through the channel
   */
  record None<T>() implements Received<T> {}

  /**
   * There is no item, and there will be none.
   *
   * @param <T> what goes through the channel
   */
  record Closed<T>() implements Received<T> {}
}
