package io.selvage.channel;

/**
 * What is done with each item of an {@link Intake}.
 *
 * @param <T> the items
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface ItemHandler<T, X extends Exception> {
  /**
   * Handles an item.
   *
   * @param item the item
   * @return whether the item counts as handled; it was taken in any case
   * @throws X to end the receiving
   */
  boolean handle(T item) throws X;
}
