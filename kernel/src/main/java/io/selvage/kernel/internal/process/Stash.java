package io.selvage.kernel.internal.process;

import io.selvage.kernel.StashOverflowException;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a process has put aside. A list like that of the unread messages (a ring, held
 * by its newest), so that all of it can be put back in constant time. Owner thread only.
 *
 * <p>Whatever was put aside keeps its order, also if it is put back, taken, and put aside again
 * while younger ones that were put back with it are still unread: then it goes before them, as a
 * message that a selective receive skips twice. Hence the numbers.
 */
final class Stash {
  /** A message that was put aside. */
  interface Stashed {
    /** Its place among all that the process has ever put aside. */
    long order();
  }

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

  /** What was taken last of those that were put back, and its order. Weak as well. */
  private @Nullable WeakReference<Object> taken;

  private long takenOrder;
  private long nextOrder;

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
    boolean again = taken != null && taken.get() == message;
    long order = again ? takenOrder : nextOrder;
    Signal signal =
        serving != null && serving.content == message
            ? new StashedRequest(serving, order)
            : new StashedMessage(message, order);
    taken = null; // put aside twice, it is a younger one
    nextOrder = Math.max(nextOrder, order + 1);
    Signal newest = last;
    if (newest == null) {
      signal.next = signal;
      last = signal;
    } else {
      Signal before = newest;
      if (orderOf(newest) > order) {
        Signal following = Objects.requireNonNull(before.next);
        while (orderOf(following) < order) {
          before = following;
          following = Objects.requireNonNull(before.next);
        }
      } else {
        last = signal;
      }
      signal.next = before.next;
      before.next = signal;
    }
    size++;
  }

  private static long orderOf(Signal stashed) {
    return ((Stashed) stashed).order();
  }

  /** A message that was put back is being taken. */
  void takes(Object message, long order) {
    taken = new WeakReference<>(message);
    takenOrder = order;
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
   * Puts the oldest back, in front of what is unread, but for those that were put back before and
   * are older.
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
    Signal before = unreadPutBack();
    WeakReference<Signal> reference =
        before != null && orderOf(before) > orderOf(end)
            ? Objects.requireNonNull(putBack)
            : new WeakReference<>(end); // before anything changes
    if (most < size) {
      newest.next = end.next;
    } else {
      last = null;
    }
    size -= count;
    if (before == null || orderOf(before) < orderOf(first)) {
      self.putInFront(first, end, count, before);
    } else {
      merge(self, first, count, before);
    }
    putBack = reference;
    return count;
  }

  /** Puts a chain back among those that were put back before, of which one is the newest. */
  private static void merge(LocalProcess<?> self, Signal first, int count, Signal newest) {
    Signal behind = null;
    Signal next = first;
    for (int i = 0; i < count; i++) {
      Signal each = next;
      next = Objects.requireNonNull(each.next);
      behind = self.unreadBefore(behind, newest, orderOf(each));
      self.putInFront(each, each, 1, behind);
      behind = each;
    }
  }
}
