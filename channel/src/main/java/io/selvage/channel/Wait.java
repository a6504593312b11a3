package io.selvage.channel;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One who waits at one or more channels, and is served at one of them at most.
 *
 * <pre>
 *   OPEN ── claim(place), by who holds the lock of that place's channel ──► served ── wake()
 *   OPEN ── giveUp(), by who waits (time, interrupt, end of its process) ──► given up
 * </pre>
 *
 * <p>Decided once, by a compare-and-set. What a channel writes into a place before it claims the
 * wait is seen by who finds the wait served there; if the claim fails, nobody looks at that place.
 */
abstract class Wait {
  private static final Object GIVEN_UP = new Object();

  /** Null while open. */
  private final AtomicReference<@Nullable Object> decision = new AtomicReference<>();

  /**
   * The next that one channel has to wake. Under the lock of who claimed this, then by him alone.
   */
  @Nullable Wait nextToWake;

  /** Serves it at a place. Answers false if it is served elsewhere, or has given up. */
  final boolean claim(Place<?> place) {
    return decision.compareAndSet(null, place);
  }

  /** Does not want to be served any more. Answers false if it is served. */
  final boolean giveUp() {
    return decision.compareAndSet(null, GIVEN_UP);
  }

  final boolean isOpen() {
    return decision.get() == null;
  }

  final boolean isDecided() {
    return decision.get() != null;
  }

  /** Where it was served, once it was. */
  final @Nullable Place<?> served() {
    return decision.get() instanceof Place<?> place ? place : null;
  }

  /** Tells who waits that it is served. Under no lock, by any thread; must not run foreign code. */
  abstract void wake();

  /** Wakes a chain of those that were served. Under no lock. */
  static void wakeAll(@Nullable Wait first) {
    for (Wait wait = first; wait != null; ) {
      Wait next = wait.nextToWake;
      wait.nextToWake = null;
      boolean woken = false;
      try {
        wait.wake();
        woken = true;
      } finally {
        if (!woken) { // no memory for its message: the others must not sleep on for that
          wakeAll(next);
        }
      }
      wait = next;
    }
  }
}
