package io.selvage.kernel.internal.process;

import io.selvage.kernel.Exit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What only some processes have. Made when first needed. Owner thread only, but for the fields that
 * say otherwise.
 */
final class Extras {
  final Links links;
  final OpenCalls calls = new OpenCalls();

  /** Turns exit signals into messages, if they are trapped. */
  @Nullable Function<? super Exit, ?> trap;

  /** For reports. Written by the owner, read by any thread. */
  volatile @Nullable String label;

  /** The handshake of a process that was started with one and has not said that it is ready. */
  @Nullable Handshake<?> handshake;

  /** The origin of the children spawned last, so that those of one kind share it. */
  @Nullable Origin childOrigin;

  /** What it was handling when its code failed. */
  @Nullable Object lastMessage;

  /** The most messages that should wait, or 0. Written before the process is known to others. */
  int mailboxLimit;

  /**
   * The thread that runs this process and waits inside a kernel call, to be woken by exit signals.
   * Written by the owner, read by senders: the owner writes it, then looks for signals; a sender
   * marks the process, then reads it (both volatile), so one of them sees the other.
   */
  volatile @Nullable Thread waiter;

  /** How many interrupts that came with exit signals were taken back; see {@link ExitSignal}. */
  int interruptsTakenBack;

  /** The monitors that this process holds. */
  private @Nullable Monitor owned;

  /** The monitors that others hold on this process. */
  private @Nullable Monitor watching;

  Extras(LocalProcess<?> owner) {
    links = new Links(owner);
  }

  void addOwned(Monitor monitor) {
    monitor.owned = true;
    monitor.nextOwned = owned;
    if (owned != null) {
      owned.previousOwned = monitor;
    }
    owned = monitor;
  }

  /** Answers whether the monitor was there. */
  boolean removeOwned(Monitor monitor) {
    if (!monitor.owned) {
      return false;
    }
    monitor.owned = false;
    Monitor previous = monitor.previousOwned;
    Monitor next = monitor.nextOwned;
    if (previous == null) {
      owned = next;
    } else {
      previous.nextOwned = next;
    }
    if (next != null) {
      next.previousOwned = previous;
    }
    monitor.previousOwned = null;
    monitor.nextOwned = null;
    return true;
  }

  /** Takes out any monitor that this process holds, or null. */
  @Nullable Monitor pollOwned() {
    Monitor first = owned;
    if (first != null) {
      removeOwned(first);
    }
    return first;
  }

  void addWatching(Monitor monitor) {
    monitor.watching = true;
    monitor.nextWatching = watching;
    if (watching != null) {
      watching.previousWatching = monitor;
    }
    watching = monitor;
  }

  void removeWatching(Monitor monitor) {
    if (!monitor.watching) {
      return;
    }
    monitor.watching = false;
    Monitor previous = monitor.previousWatching;
    Monitor next = monitor.nextWatching;
    if (previous == null) {
      watching = next;
    } else {
      previous.nextWatching = next;
    }
    if (next != null) {
      next.previousWatching = previous;
    }
    monitor.previousWatching = null;
    monitor.nextWatching = null;
  }

  /** Takes out any monitor that another holds on this process, or null. */
  @Nullable Monitor pollWatching() {
    Monitor first = watching;
    if (first != null) {
      removeWatching(first);
    }
    return first;
  }
}
