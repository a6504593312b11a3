package io.selvage.kernel.internal.process;

import io.selvage.kernel.Limit;
import io.selvage.kernel.internal.process.Ticket.Step;
import io.selvage.kernel.spi.SpinLock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one limit of one process holds at present; see {@link Limiting}. All of it changes under the
 * lock, so the limit is exact: a place is given up and taken in one step each.
 *
 * <p>Any thread.
 */
final class LimitState {
  /** The type that the limit is for; null if it is for all that are not named. */
  final @Nullable Class<?> type;

  private final Limit<Object> limit;
  private final long most;
  private final boolean dropsOldest;

  /** How long a sender waits, or zero. */
  final long waitNanos;

  /** How many dropped messages the process has not come by yet; of all its limits together. */
  private final AtomicInteger dropped;

  private final AtomicLong failures = new AtomicLong();
  private final SpinLock lock = new SpinLock();

  /** How much of the limit is taken. Under the lock, as all below. */
  private long used;

  /** The tickets that wait, if the limit drops the oldest. */
  private @Nullable Ticket oldest;

  private @Nullable Ticket newest;

  /** Who waits for room. */
  private @Nullable RoomWait firstWait;

  private @Nullable RoomWait lastWait;

  /** Nobody waits for room here any more. */
  private boolean closed;

  /** The limit has ended its process. */
  private boolean hasEnded;

  @SuppressWarnings("unchecked") // asked only about messages that the limit is for
  LimitState(@Nullable Class<?> type, Limit<?> limit, long waitNanos, AtomicInteger dropped) {
    this.type = type;
    this.limit = (Limit<Object>) limit;
    this.most = limit.bound().most();
    this.dropsOldest = limit.reaction() instanceof Limit.DropOldest;
    this.waitNanos = waitNanos;
    this.dropped = dropped;
  }

  Limit<Object> limit() {
    return limit;
  }

  /** How long a sender waits for room, for an error. */
  Duration waitTime() {
    return limit.waitTime();
  }

  /** How much of the limit is taken. */
  long used() {
    lock.acquire();
    try {
      return used;
    } finally {
      lock.release();
    }
  }

  /**
   * What a message takes of the limit. Runs code of the user's.
   *
   * @throws IllegalArgumentException if the weigher answers less than zero
   */
  long weigh(Object message) {
    var weigher = limit.bound().weigher();
    if (weigher == null) {
      return 1;
    }
    long weight = weigher.applyAsLong(message);
    if (weight < 0) {
      throw new IllegalArgumentException(
          "the weigher of the limit \""
              + limit
              + "\" answered "
              + weight
              + " for a message of type "
              + message.getClass().getName()
              + ": a weight must be 0 or more");
    }
    return weight;
  }

  /** Counts a failure of a function of the limit, and answers how many there were. */
  long countFailure() {
    return failures.incrementAndGet();
  }

  /** Whether a ticket would have no room in an empty mailbox. */
  boolean neverFits(Ticket ticket) {
    return ticket.weight > most;
  }

  /** Gives a ticket a place, if there is one and nobody waits for it. */
  boolean admit(Ticket ticket) {
    lock.acquire();
    try {
      if (firstWait != null || !fits(ticket)) {
        return false;
      }
      take(ticket);
      return true;
    } finally {
      lock.release();
    }
  }

  /**
   * Gives a ticket a place, for which the oldest are dropped. The ticket has none after this if it
   * never fits, or if too many that were dropped are still in the mailbox.
   *
   * @return the first of those dropped, chained by {@link Ticket#newer}; or null
   */
  @Nullable Ticket admitDroppingOldest(Ticket ticket) {
    Ticket firstDropped = null;
    RoomWait woken = null;
    lock.acquire();
    try {
      if (!neverFits(ticket) && dropped.get() < Limiting.MOST_DROPPED) {
        Ticket lastDropped = null;
        while (!fits(ticket) && oldest != null) {
          Ticket victim = oldest;
          takeOut(victim);
          victim.step = Step.DROPPED;
          dropped.incrementAndGet();
          if (lastDropped == null) {
            firstDropped = victim;
          } else {
            lastDropped.newer = victim;
          }
          lastDropped = victim;
        }
        take(ticket);
        woken = grant();
      }
    } finally {
      lock.release();
    }
    RoomWait.wakeAll(woken);
    return firstDropped;
  }

  /** A ticket leaves its place. Answers false if it was dropped before. */
  boolean leave(Ticket ticket) {
    RoomWait woken;
    lock.acquire();
    try {
      if (ticket.step == Step.DROPPED) {
        dropped.decrementAndGet();
        return false;
      }
      ticket.step = Step.TAKEN;
      takeOut(ticket);
      woken = grant();
    } finally {
      lock.release();
    }
    RoomWait.wakeAll(woken);
    return true;
  }

  /** Enters somebody who waits for room, behind the others. */
  void enter(RoomWait wait) {
    RoomWait woken = null;
    lock.acquire();
    try {
      if (closed) {
        wait.end = RoomWait.End.CLOSED;
        return;
      }
      wait.earlier = lastWait;
      if (lastWait == null) {
        firstWait = wait;
      } else {
        lastWait.later = wait;
      }
      lastWait = wait;
      woken = grant();
    } finally {
      lock.release();
    }
    RoomWait.wakeAll(woken);
  }

  /**
   * Takes somebody out who waits for room no more.
   *
   * @return how the wait had ended; null if it had not
   */
  RoomWait.@Nullable End giveUp(RoomWait wait) {
    RoomWait woken;
    lock.acquire();
    try {
      if (wait.end != null) {
        return wait.end;
      }
      takeOut(wait);
      woken = grant(); // it may have been too heavy, and the next is not
    } finally {
      lock.release();
    }
    RoomWait.wakeAll(woken);
    return null;
  }

  /** Nobody waits for room here any more. */
  void close() {
    RoomWait woken;
    lock.acquire();
    try {
      closed = true;
      woken = firstWait;
      for (RoomWait wait = firstWait; wait != null; wait = wait.later) {
        wait.end = RoomWait.End.CLOSED;
      }
      firstWait = null;
      lastWait = null;
    } finally {
      lock.release();
    }
    RoomWait.wakeAll(woken);
  }

  /** Whether it is now that the limit ends its process: answers true once. */
  boolean endsProcess() {
    lock.acquire();
    try {
      boolean first = !hasEnded;
      hasEnded = true;
      return first;
    } finally {
      lock.release();
    }
  }

  // ---------------------------------------------------------------- under the lock

  private boolean fits(Ticket ticket) {
    return ticket.weight <= most - used;
  }

  private void take(Ticket ticket) {
    ticket.step = Step.WAITING;
    used += ticket.weight;
    if (dropsOldest) {
      ticket.older = newest;
      if (newest == null) {
        oldest = ticket;
      } else {
        newest.newer = ticket;
      }
      newest = ticket;
    }
  }

  private void takeOut(Ticket ticket) {
    used -= ticket.weight;
    if (dropsOldest) {
      Ticket before = ticket.older;
      Ticket after = ticket.newer;
      if (before == null) {
        oldest = after;
      } else {
        before.newer = after;
      }
      if (after == null) {
        newest = before;
      } else {
        after.older = before;
      }
      ticket.older = null;
      ticket.newer = null;
    }
  }

  /** Gives places to those who wait, and answers the first of them: they must be woken. */
  private @Nullable RoomWait grant() {
    RoomWait woken = null;
    RoomWait last = null;
    while (firstWait != null && fits(firstWait.ticket)) {
      RoomWait wait = firstWait;
      takeOut(wait);
      take(wait.ticket);
      if (last == null) {
        woken = wait;
      } else {
        last.later = wait;
      }
      last = wait;
      wait.end = RoomWait.End.ROOM;
    }
    return woken;
  }

  private void takeOut(RoomWait wait) {
    RoomWait before = wait.earlier;
    RoomWait after = wait.later;
    if (before == null) {
      firstWait = after;
    } else {
      before.later = after;
    }
    if (after == null) {
      lastWait = before;
    } else {
      after.earlier = before;
    }
    wait.earlier = null;
    wait.later = null;
  }
}
