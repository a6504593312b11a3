package io.selvage.kernel.internal.process;

import io.selvage.kernel.Subscription;
import io.selvage.kernel.spi.SpinLock;
import org.jspecify.annotations.Nullable;

/**
 * What one process owns: a list that any thread may add to, take from and walk.
 *
 * <pre>
 *   any thread, own:                          the process, ending:
 *     make the list if there is none            set ENDING
 *     under the lock:                           read the list
 *       if ENDING: refuse                       until it is empty:
 *       enter                                     under the lock: take one out
 *                                                 release it
 * </pre>
 *
 * <p>Both sides write first and read then (the reference to the list and the bit ENDING are
 * volatile), so at least one sees the other: a thread that did not see ENDING had made the list
 * before, and whatever it enters it enters before the process takes the lock. Thus nothing is
 * entered that is not released.
 *
 * <p>Rejected: a list of the owner's thread only, with a signal to enter (the entry would have to
 * wait for the process's next turn, and registering for a child would be no promise); a set
 * (allocates, also at the end of a process, when memory may be short).
 */
final class Possessions {
  private final SpinLock lock = new SpinLock();

  /** The newest. Written under the lock; walks read it without. */
  private volatile @Nullable Possession first;

  /** How many there are. Written under the lock, read without. */
  private volatile int size;

  /** How many of them are subscriptions. Written under the lock, read without. */
  private volatile int subscriptions;

  Possessions() {}

  /** Enters a possession. Answers false if the process is ending. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  boolean add(LocalProcess<?> process, Possession possession) {
    lock.acquire();
    try {
      if (process.isEnding()) {
        return false;
      }
      Possession second = first;
      possession.nextOwned = second;
      if (second != null) {
        second.previousOwned = possession;
      }
      possession.owned = true;
      first = possession;
      size++;
      if (possession instanceof Subscription) {
        subscriptions++;
      }
      return true;
    } finally {
      lock.release();
    }
  }

  /** Takes a possession out. Answers false if it was not there. */
  boolean remove(Possession possession) {
    lock.acquire();
    try {
      return unlink(possession);
    } finally {
      lock.release();
    }
  }

  /** Takes out the newest, or answers null. */
  @Nullable Possession poll() {
    lock.acquire();
    try {
      Possession newest = first;
      if (newest != null) {
        unlink(newest);
      }
      return newest;
    } finally {
      lock.release();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private boolean unlink(Possession possession) {
    if (!possession.owned) {
      return false;
    }
    Possession previous = possession.previousOwned;
    Possession next = possession.nextOwned;
    if (previous == null) {
      first = next;
    } else {
      previous.nextOwned = next;
    }
    if (next != null) {
      next.previousOwned = previous;
    }
    possession.previousOwned = null;
    possession.owned = false;
    size--;
    if (possession instanceof Subscription) {
      subscriptions--;
    }
    return true;
  }

  /** The newest, where a walk begins. */
  @Nullable Possession first() {
    return first;
  }

  int size() {
    return size;
  }

  int subscriptions() {
    return subscriptions;
  }
}
