package io.selvage.kernel.internal.process;

import io.selvage.kernel.internal.time.SpinLock;
import org.jspecify.annotations.Nullable;

/**
 * Whom one process holds back, oldest first; see {@link Backpressure}. The state bit HOLDING of the
 * process is set exactly while this is not empty: both change under the lock.
 *
 * <p>Any thread.
 */
final class Pressure {
  private final SpinLock lock = new SpinLock();

  /** The ends of the list. Under the lock. */
  private @Nullable Mute first;

  private @Nullable Mute last;

  /** How many mutes by this process have lasted as long as they may. Under the lock. */
  private long outlasted;

  /** Enters somebody. Any thread. */
  void enter(Mute mute) {
    lock.acquire();
    try {
      mute.entered = true;
      mute.previousHeld = last;
      if (last == null) {
        first = mute;
        mute.receiver.beginHolding();
      } else {
        last.nextHeld = mute;
      }
      last = mute;
    } finally {
      lock.release();
    }
  }

  /** Takes somebody out, if he is still in. Any thread. */
  void leave(Mute mute) {
    lock.acquire();
    try {
      if (mute.entered) {
        takeOut(mute);
      }
    } finally {
      lock.release();
    }
  }

  /** Takes out the one who has waited longest, or answers null. Any thread. */
  @Nullable Mute poll() {
    lock.acquire();
    try {
      Mute oldest = first;
      if (oldest != null) {
        takeOut(oldest);
      }
      return oldest;
    } finally {
      lock.release();
    }
  }

  private void takeOut(Mute mute) {
    mute.entered = false;
    Mute previous = mute.previousHeld;
    Mute next = mute.nextHeld;
    if (previous == null) {
      first = next;
    } else {
      previous.nextHeld = next;
    }
    if (next == null) {
      last = previous;
    } else {
      next.previousHeld = previous;
    }
    mute.previousHeld = null;
    mute.nextHeld = null;
    if (first == null) {
      mute.receiver.endHolding();
    }
  }

  /** Counts a mute that has lasted as long as it may, and answers how many have. Any thread. */
  long countOutlasted() {
    lock.acquire();
    try {
      return ++outlasted;
    } finally {
      lock.release();
    }
  }
}
