package io.selvage.kernel.internal.process;

import io.selvage.kernel.StashOverflowException;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a process has put aside. A list like that of the unread messages (a ring, held
 * by its newest), so that all of it can be put back in constant time. Owner thread only.
 */
final class Stash {
  private static final int CAPACITY = 1000;

  /** The newest, whose {@code next} is the oldest; or null. */
  private @Nullable Signal last;

  private int size;
  private int capacity = CAPACITY;

  /**
   * The newest of those that were put back. While it has a {@code next} it is unread, and what is
   * put back comes behind it. Weak, so that a message which was handled is not kept for this.
   */
  private @Nullable WeakReference<Signal> putBack;

  int size() {
    return size;
  }

  void limit(int messages) {
    capacity = messages;
  }

  /** Whether forgetting this stash would lose nothing. */
  boolean isAsNew() {
    return size == 0 && capacity == CAPACITY && unreadPutBack() == null;
  }

  /** The newest of those that were put back, if it is still unread. */
  private @Nullable Signal unreadPutBack() {
    Signal before = putBack == null ? null : putBack.get();
    return before != null && before.next != null ? before : null;
  }

  /**
   * Puts a message aside.
   *
   * @param self whose it is
   * @param message the message
   * @param serving the request that is being handled, or null
   */
  void add(LocalProcess<?> self, Object message, @Nullable Request serving) {
    if (size >= capacity) {
      throw new StashOverflowException(
          self
              + " has stashed "
              + size
              + " messages, and its stash holds "
              + capacity
              + ": what it waits for does not come, or it needs a larger self.stashCapacity(…);"
              + " a message that cannot wait should be refused or handled");
    }
    Signal signal =
        serving != null && serving.content == message
            ? new StashedRequest(serving)
            : new StashedMessage(message);
    Signal newest = last;
    if (newest == null) {
      signal.next = signal;
    } else {
      signal.next = newest.next;
      newest.next = signal;
    }
    last = signal;
    size++;
  }

  /** Takes out the oldest, whose process has ended; null if there is none. */
  @Nullable Object poll() {
    Signal newest = last;
    if (newest == null) {
      return null;
    }
    Message oldest = (Message) Objects.requireNonNull(newest.next);
    last = oldest == newest ? null : newest;
    newest.next = oldest.next;
    size--;
    return oldest.content;
  }

  /**
   * Puts the oldest back, in front of what is unread.
   *
   * @param self whose it is
   * @param most how many
   * @return how many they were
   */
  int putBack(LocalProcess<?> self, int most) {
    Signal newest = last;
    if (newest == null || most == 0) {
      return 0;
    }
    Signal first = Objects.requireNonNull(newest.next);
    Signal end = newest;
    int count = size;
    if (most < size) {
      end = first;
      for (count = 1; count < most; count++) {
        end = Objects.requireNonNull(end.next);
      }
    }
    WeakReference<Signal> reference = new WeakReference<>(end); // before anything changes
    if (most < size) {
      newest.next = end.next;
    } else {
      last = null;
    }
    size -= count;
    self.putInFront(first, end, count, unreadPutBack());
    putBack = reference;
    return count;
  }
}
