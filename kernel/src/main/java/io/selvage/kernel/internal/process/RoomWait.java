package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/**
 * A sender that waits for room under a limit; see {@link Limiting}. Under the lock of the {@link
 * LimitState}, but for what says otherwise.
 */
final class RoomWait {
  /** How a wait has ended. */
  enum End {
    /** The ticket has been admitted. */
    ROOM,
    /** The limit is none of the receiver's any more. */
    CLOSED
  }

  private final ThreadWaiter waiter = ThreadWaiter.current();
  final Ticket ticket;

  /** Null while it waits. Written under the lock, read by the waiter. */
  volatile @Nullable End end;

  @Nullable RoomWait earlier;
  @Nullable RoomWait later;

  RoomWait(Ticket ticket) {
    this.ticket = ticket;
  }

  /** The waiter. Its own thread. */
  ThreadWaiter waiter() {
    return waiter;
  }

  /** Wakes those of a chain. Not under the lock: it is code of the user's that unparks threads. */
  static void wakeAll(@Nullable RoomWait first) {
    for (RoomWait wait = first; wait != null; ) {
      RoomWait next = wait.later;
      wait.waiter.wake();
      wait = next;
    }
  }
}
