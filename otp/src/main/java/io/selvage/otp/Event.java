package io.selvage.otp;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that a {@link StateMachineLoop} keeps, and the list it is in: a ring, held by its newest
 * event, so that lists are joined in constant time.
 */
final class Event<M> {
  final EventKind kind;
  final @Nullable Object name;
  final M message;

  /** In a ring: the one after; of the newest, the oldest. */
  private @Nullable Event<M> next;

  Event(EventKind kind, @Nullable Object name, M message) {
    this.kind = kind;
    this.name = name;
    this.message = message;
  }

  /** Adds an event that is in no list; answers the list. */
  static <M> Event<M> append(@Nullable Event<M> list, Event<M> added) {
    if (list == null) {
      added.next = added;
    } else {
      added.next = list.next;
      list.next = added;
    }
    return added;
  }

  /** Puts one list in front of another; answers the whole list. Both are used up. */
  static <M> @Nullable Event<M> join(@Nullable Event<M> front, @Nullable Event<M> back) {
    if (front == null || back == null) {
      return front == null ? back : front;
    }
    Event<M> first = front.next;
    front.next = back.next;
    back.next = first;
    return back;
  }

  static <M> Event<M> oldest(Event<M> list) {
    return Objects.requireNonNull(list.next);
  }

  /** Takes the oldest out; answers the rest. */
  static <M> @Nullable Event<M> withoutOldest(Event<M> list) {
    Event<M> first = oldest(list);
    list.next = first.next;
    first.next = null;
    return first == list ? null : list;
  }

  static int size(@Nullable Event<?> list) {
    if (list == null) {
      return 0;
    }
    int size = 1;
    for (Event<?> each = oldest(list); each != list; each = oldest(each)) {
      size++;
    }
    return size;
  }
}
