package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/**
 * The place that one message takes under a limit; see {@link Limiting}. Under the lock of its
 * {@link LimitState}, but for what says otherwise.
 *
 * <pre>
 *   NEW ── there is room ──► WAITING ── its receiver takes the message ──────► TAKEN
 *                               └────── the limit drops it for a later one ──► DROPPED
 * </pre>
 */
final class Ticket {
  /** Where a message with this ticket is. */
  enum Step {
    NEW,
    WAITING,
    TAKEN,
    DROPPED
  }

  final LimitState state;

  /** How much of the limit it takes. */
  final long weight;

  /** The message. Written before the ticket is known to others. */
  @Nullable Message message;

  /** Read without the lock by those who look again under it, or later. */
  volatile Step step = Step.NEW;

  // The neighbours among those that wait, if the limit drops the oldest; then, those dropped with
  // it.
  @Nullable Ticket older;
  @Nullable Ticket newer;

  Ticket(LimitState state, long weight) {
    this.state = state;
    this.weight = weight;
  }

  /** Whether it has a place, or had one. Any thread. */
  boolean isAdmitted() {
    return step != Step.NEW;
  }

  /** Whether the message was dropped. Any thread; it may be just now. */
  boolean isDropped() {
    return step == Step.DROPPED;
  }

  /**
   * Leaves its place, since the receiver takes the message, or it is not sent after all.
   *
   * @return false if it was dropped before
   */
  boolean claim() {
    return state.leave(this);
  }
}
