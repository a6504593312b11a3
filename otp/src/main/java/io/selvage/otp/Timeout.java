package io.selvage.otp;

import io.selvage.kernel.Timer;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A timeout of a {@link StateMachineLoop}: first what a transition wants of it, in the list of its
 * actions; then, if it was set, one of those that run, and the message that comes when it is over.
 */
final class Timeout<M> implements SystemMessage {
  /** What is wanted. */
  enum How {
    SET,
    CANCEL,
    UPDATE
  }

  final How how;
  final EventKind kind;
  final @Nullable Object name;
  @Nullable M message;
  final Duration time;

  /** The one that was set after it, in the same list. */
  @Nullable Timeout<M> next;

  /** None while it is no more than wanted, and none ever if its time is zero. */
  @Nullable Timer timer;

  Timeout(How how, EventKind kind, @Nullable Object name, @Nullable M message, Duration time) {
    this.how = how;
    this.kind = kind;
    this.name = name;
    this.message = message;
    this.time = time;
  }

  /** Whether it is the same one of the machine's timeouts. */
  boolean is(EventKind otherKind, @Nullable Object otherName) {
    return kind == otherKind && Objects.equals(name, otherName);
  }

  void cancelTimer() {
    if (timer != null) {
      timer.cancel();
    }
  }

  @Override
  public String toString() {
    return name == null ? kind + " " + message : kind + " " + name + " " + message;
  }

  /** Adds one that is in no list; answers the list. */
  static <M> Timeout<M> append(@Nullable Timeout<M> list, Timeout<M> added) {
    if (list == null) {
      return added;
    }
    Timeout<M> last = list;
    while (last.next != null) {
      last = last.next;
    }
    last.next = added;
    return list;
  }

  /** Takes one out; answers the rest. */
  static <M> @Nullable Timeout<M> without(@Nullable Timeout<M> list, Timeout<M> gone) {
    if (list == gone) {
      Timeout<M> rest = gone.next;
      gone.next = null;
      return rest;
    }
    for (Timeout<M> each = list; each != null; each = each.next) {
      if (each.next == gone) {
        each.next = gone.next;
        gone.next = null;
      }
    }
    return list;
  }
}
