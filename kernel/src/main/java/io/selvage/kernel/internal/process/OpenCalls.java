package io.selvage.kernel.internal.process;

import io.selvage.kernel.ExitReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a process has been asked and may not have answered. Answered ones are not taken
 * out at once, since the answer may be given by any thread: they are swept out when there are twice
 * as many as were open after the last sweep, which costs constant time a call.
 *
 * <p>Calls that end otherwise than by an answer are counted by whoever ends them. When they may be
 * half of all, the process is sent a signal to sweep: so one that is asked a million times, answers
 * nothing and is asked no more holds none of the calls that have timed out but a few.
 *
 * <p>Owner thread only, but for {@link #over}.
 */
final class OpenCalls {
  private static final int FEWEST = 8;

  /** The count after a signal was sent, until the sweep: too low to send another. */
  private static final int SENT = Integer.MIN_VALUE;

  private static final VarHandle OVER;

  static {
    try {
      OVER = MethodHandles.lookup().findVarHandle(OpenCalls.class, "over", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable Call<?> first;

  /** Written by the owner; read by others, roughly. */
  private int size;

  private int sweepAt = FEWEST;

  /** How many calls have ended without an answer since the last sweep. Any thread. */
  private volatile int over;

  void add(Call<?> call) {
    call.nextOpen = first;
    first = call;
    if (++size >= sweepAt) {
      sweep();
    }
  }

  /**
   * A call has ended without an answer. Any thread.
   *
   * @return whether the process must be sent a signal to sweep
   */
  boolean over() {
    int now = (int) OVER.getAndAdd(this, 1) + 1;
    return now >= most() && OVER.compareAndSet(this, now, SENT);
  }

  /** The signal to sweep was not sent. Any thread. */
  void notSent() {
    OVER.setVolatile(this, FEWEST);
  }

  /** Takes out those that were answered. */
  void sweep() {
    do {
      sweepOnce();
      // Those that ended meanwhile compared their number with the old size, and may have been the
      // last. Whoever counts after this fence sees the new size; this sees whoever counted before.
      VarHandle.fullFence();
    } while (over >= most());
  }

  /** How many calls may have ended without an answer before they are swept out. */
  private int most() {
    return Math.max(FEWEST, size / 2);
  }

  private void sweepOnce() {
    if (over != 0) { // before the look at the calls: what is counted now may not be seen by it
      OVER.setVolatile(this, 0);
    }
    Call<?> kept = null;
    int open = 0;
    for (Call<?> call = first; call != null; ) {
      Call<?> next = call.nextOpen;
      if (call.isOpen()) {
        call.nextOpen = kept;
        kept = call;
        open++;
      } else {
        call.nextOpen = null;
      }
      call = next;
    }
    first = kept;
    size = open;
    sweepAt = Math.max(FEWEST, 2 * open);
  }

  /** How many calls are held. */
  int size() {
    return size;
  }

  /** Fails every call that is still open. */
  void failAll(ExitReason reason) {
    for (Call<?> call = first; call != null; ) {
      Call<?> next = call.nextOpen;
      call.nextOpen = null;
      call.fail(reason);
      call = next;
    }
    first = null;
    size = 0;
  }
}
