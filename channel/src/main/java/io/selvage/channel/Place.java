package io.selvage.channel;

import org.jspecify.annotations.Nullable;

/**
 * The place of one who waits in the queue of one channel. All fields are guarded by the lock of the
 * channel; who was served here reads what came of it without, see {@link Wait}.
 *
 * @param <T> what goes through the channel
 */
final class Place<T> {
  final Wait wait;

  /** What is to be sent; or, for a receiver, what it was given. */
  @Nullable T item;

  /** For a sender, what the item comes inside with: letting it in must not need memory. */
  final ItemQueue.@Nullable Node<T> node;

  /** Served by the closing of the channel. */
  boolean closed;

  @Nullable Place<T> previous;
  @Nullable Place<T> next;
  boolean queued;

  private Place(Wait wait, @Nullable T item, ItemQueue.@Nullable Node<T> node) {
    this.wait = wait;
    this.item = item;
    this.node = node;
  }

  static <T> Place<T> sends(Wait wait, T item) {
    return new Place<>(wait, item, new ItemQueue.Node<>(item));
  }

  static <T> Place<T> receives(Wait wait) {
    return new Place<>(wait, null, null);
  }

  SendResult sendResult() {
    return closed ? SendResult.CLOSED : SendResult.SENT;
  }

  Received<T> received() {
    T given = item;
    return given == null ? new Received.Closed<>() : new Received.Item<>(given);
  }
}
