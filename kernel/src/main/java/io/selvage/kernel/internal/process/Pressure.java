package io.selvage.kernel.internal.process;

import io.selvage.kernel.Marks;
import io.selvage.kernel.spi.SpinLock;
import java.util.function.Consumer;
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

  /**
   * Takes out as many as there is room for, oldest first, if the mailbox is down to its low mark.
   * The length is read under the lock: whoever has sent meanwhile counts.
   *
   * @param receiver the process whose list this is
   * @return the first of a chain, or null
   */
  @Nullable Mute takeAsManyAsFit(LocalProcess<?> receiver) {
    Marks marks = receiver.marks();
    lock.acquire();
    try {
      int length = receiver.observedLength();
      return length > marks.low() ? null : take(marks.high() - length);
    } finally {
      lock.release();
    }
  }

  /**
   * Takes out all, if the process waits or has ended. If it has begun to run again, it sees to them
   * itself.
   *
   * @param receiver the process whose list this is
   * @return the first of a chain, or null
   */
  @Nullable Mute takeAllOfWaiting(LocalProcess<?> receiver) {
    lock.acquire();
    try {
      return receiver.waitsOrHasEnded() ? take(Integer.MAX_VALUE) : null;
    } finally {
      lock.release();
    }
  }

  /**
   * Takes out all, since the process is about to be muted itself, unless its mailbox is over its
   * high mark.
   *
   * @param receiver the process whose list this is
   * @param all told the first of a chain, if there is one
   * @return whether the list is empty now
   */
  boolean takeAllOfMuted(LocalProcess<?> receiver, Consumer<Mute> all) {
    Mute chain;
    int high = receiver.marks().high();
    lock.acquire();
    try {
      if (first == null) {
        return true;
      }
      if (receiver.observedLength() > high) {
        return false;
      }
      chain = take(Integer.MAX_VALUE);
    } finally {
      lock.release();
    }
    if (chain != null) {
      all.accept(chain);
    }
    return true;
  }

  /** Under the lock. */
  private @Nullable Mute take(int most) {
    Mute chain = first;
    Mute end = null;
    int taken = 0;
    for (Mute mute = first; mute != null && taken < most; mute = mute.nextHeld) {
      mute.entered = false;
      mute.previousHeld = null;
      end = mute;
      taken++;
    }
    if (end == null) {
      return null;
    }
    first = end.nextHeld;
    end.nextHeld = null;
    if (first == null) {
      last = null;
      end.receiver.endHolding();
    } else {
      first.previousHeld = null;
    }
    return chain;
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
