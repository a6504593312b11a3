package io.selvage.channel;

import org.jspecify.annotations.Nullable;

/**
 * What is inside a channel, oldest first. Linked, so that a large capacity costs nothing and a
 * burst leaves no empty array behind. Under the lock of the channel.
 *
 * @param <T> what goes through the channel
 */
final class ItemQueue<T> {
  /** One item. */
  static final class Node<T> {
    private final T item;
    private @Nullable Node<T> next;

    Node(T item) {
      this.item = item;
    }
  }

  private @Nullable Node<T> first;
  private @Nullable Node<T> last;
  private int size;

  ItemQueue() {}

  int size() {
    return size;
  }

  /**
   * Allocates nothing: the node is made before anything is changed, since there may be no memory.
   */
  void add(Node<T> node) {
    Node<T> before = last;
    last = node;
    if (before == null) {
      first = node;
    } else {
      before.next = node;
    }
    size++;
  }

  @Nullable T poll() {
    Node<T> node = first;
    if (node == null) {
      return null;
    }
    first = node.next;
    if (first == null) {
      last = null;
    }
    node.next = null; // an old node must not keep young ones alive
    size--;
    return node.item;
  }

  /** Drops all, and answers how many there were. */
  int clear() {
    int dropped = size;
    first = null;
    last = null;
    size = 0;
    return dropped;
  }
}
