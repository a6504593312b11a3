package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** The calls that a process has made and whose outcome it still waits for. Owner thread only. */
final class SentCalls {
  private @Nullable OwnedCall<?> first;
  private int size;

  int size() {
    return size;
  }

  void add(OwnedCall<?> call) {
    call.listed = true;
    OwnedCall<?> next = first;
    call.nextSent = next;
    if (next != null) {
      next.previousSent = call;
    }
    first = call;
    size++;
  }

  void remove(OwnedCall<?> call) {
    if (!call.listed) {
      return;
    }
    call.listed = false;
    OwnedCall<?> previous = call.previousSent;
    OwnedCall<?> next = call.nextSent;
    if (previous == null) {
      first = next;
    } else {
      previous.nextSent = next;
      call.previousSent = null;
    }
    if (next != null) {
      next.previousSent = previous;
      call.nextSent = null;
    }
    size--;
  }

  /** The caller has ended: nobody wants the outcomes. */
  void giveUpAll() {
    for (OwnedCall<?> call = first; call != null; call = first) {
      remove(call);
      if (!call.giveUp()) {
        call.callerEnded();
      }
    }
  }
}
