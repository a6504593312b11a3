package io.selvage.kernel.internal.process;

import io.selvage.kernel.ExitReason;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a process has been asked and may not have answered. Answered ones are not taken
 * out at once, since the answer may be given by any thread: they are swept out when there are twice
 * as many as were open after the last sweep, which costs constant time a call. Owner thread only.
 */
final class OpenCalls {
  private static final int FEWEST = 8;

  private @Nullable PendingCall<?> first;
  private int size;
  private int sweepAt = FEWEST;

  void add(PendingCall<?> call) {
    call.nextOpen = first;
    first = call;
    if (++size >= sweepAt) {
      sweep();
    }
  }

  /** Takes out those that were answered. */
  void sweep() {
    PendingCall<?> kept = null;
    int open = 0;
    for (PendingCall<?> call = first; call != null; ) {
      PendingCall<?> next = call.nextOpen;
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

  /** Fails every call that is still open. */
  void failAll(ExitReason reason) {
    for (PendingCall<?> call = first; call != null; ) {
      PendingCall<?> next = call.nextOpen;
      call.nextOpen = null;
      call.fail(reason);
      call = next;
    }
    first = null;
    size = 0;
  }
}
