package io.selvage.channel;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One case of a {@link Select}. Immutable.
 *
 * @param <T> what goes through its channel
 * @param <R> what its action answers
 */
sealed interface SelectCase<T, R> {
  LocalChannel<T> channel();

  /** This case in one use of the select. Runs the user's supplier, so under no lock. */
  Try<T, R> begin();

  /**
   * A case in one use.
   *
   * @param <T> what goes through its channel
   * @param <R> what its action answers
   */
  interface Try<T, R> {
    LocalChannel<T> channel();

    /**
     * Under the lock: does it if it can be done, and answers what is to be done then; else null.
     */
    @Nullable Supplier<R> now();

    Place<T> place(Wait wait);

    /** After it was served: what is to be done. */
    Supplier<R> served(Place<T> place);
  }

  /**
   * What is to be done.
   *
   * @param action what to do
   * @param what with what
   * @param <V> what the channel has answered
   * @param <R> what the action answers
   */
  record Served<V, R>(Function<? super V, ? extends R> action, V what) implements Supplier<R> {
    @Override
    public R get() {
      return action.apply(what);
    }
  }

  /**
   * Receives.
   *
   * @param channel from where
   * @param action what to do
   * @param <T> what goes through its channel
   * @param <R> what its action answers
   */
  record Receiving<T, R>(LocalChannel<T> channel, Function<? super Received<T>, ? extends R> action)
      implements SelectCase<T, R>, Try<T, R> {
    @Override
    public Try<T, R> begin() {
      return this;
    }

    @Override
    public @Nullable Supplier<R> now() {
      T item = channel.poll();
      if (item != null) {
        return new Served<>(action, new Received.Item<>(item));
      }
      return channel.isClosedNow() ? new Served<>(action, new Received.Closed<>()) : null;
    }

    @Override
    public Place<T> place(Wait wait) {
      return Place.receives(wait);
    }

    @Override
    public Supplier<R> served(Place<T> place) {
      return new Served<>(action, place.received());
    }
  }

  /**
   * Sends.
   *
   * @param channel to where
   * @param supplier makes the item
   * @param action what to do
   * @param <T> what goes through its channel
   * @param <R> what its action answers
   */
  record Sending<T, R>(
      LocalChannel<T> channel,
      Supplier<? extends T> supplier,
      Function<? super SendResult, ? extends R> action)
      implements SelectCase<T, R> {
    @Override
    public Try<T, R> begin() {
      T item = supplier.get();
      LocalChannel.ensureItem(item);
      return new Sent<>(channel, item, action);
    }
  }

  /**
   * Sends an item.
   *
   * @param channel to where
   * @param item the item
   * @param action what to do
   * @param <T> what goes through its channel
   * @param <R> what its action answers
   */
  record Sent<T, R>(
      LocalChannel<T> channel, T item, Function<? super SendResult, ? extends R> action)
      implements Try<T, R> {
    @Override
    public @Nullable Supplier<R> now() {
      SendResult result = channel.offer(item);
      return result == null ? null : new Served<>(action, result);
    }

    @Override
    public Place<T> place(Wait wait) {
      return Place.sends(wait, item);
    }

    @Override
    public Supplier<R> served(Place<T> place) {
      return new Served<>(action, place.sendResult());
    }
  }
}
