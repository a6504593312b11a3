package io.selvage.kernel.internal.process;

import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One selective receive's way through the unread messages of its process.
 *
 * <pre>
 *   take(wanted):
 *     fetch                                       what has come stands at the end of the list
 *     for each message behind the last one skipped, oldest first:
 *       look at it, ask wanted
 *       wanted: take it out, answer it
 *       not:    it is the last one skipped now
 *     answer null: the process may wait, and call take again
 * </pre>
 *
 * <p>The place is kept between the calls, so each message is looked at once in one receive, however
 * often the process is woken meanwhile. Two things can make the place wrong, and the scan then
 * begins again at the front:
 *
 * <ul>
 *   <li>Something was put in front of what has been skipped: {@link Extras#putInFront} counts that.
 *   <li>{@code wanted} is code of the user's and may receive, too. Then it may have taken out the
 *       message it is asked about, or the one before. A message that is taken out has no {@code
 *       next} any more, so one comparison after each question tells.
 * </ul>
 *
 * <p>What a limit has dropped is taken out on the way, and is shown to nobody.
 *
 * <p>Nothing that is wanted is taken out before {@code wanted} has answered, so whatever it throws
 * finds the mailbox as it was. Exit signals act between two questions.
 *
 * <p>Rejected: a mark in the process at which the next receive begins (Erlang's trick for replies):
 * replies do not come through the mailbox here. An index by type: it would cost each message
 * something, for the few processes that receive selectively from long mailboxes.
 *
 * <p>Owner thread only.
 */
final class Scan {
  private final LocalProcess<?> process;

  /** The last message that was skipped, or null if none was. */
  private @Nullable Signal skipped;

  private int putInFront;

  Scan(LocalProcess<?> process) {
    this.process = process;
    this.putInFront = process.putInFront();
  }

  /**
   * Takes the oldest message that is wanted and was not skipped before, or answers null. Requests
   * for which nobody waits any more are dropped on the way.
   */
  @Nullable Object take(Predicate<Object> wanted) {
    process.endMeasuredHandler();
    process.fetch();
    process.checkFate();
    if (process.hasManyDropped()) {
      sweep();
    }
    while (true) {
      if (process.putInFront() != putInFront) {
        putInFront = process.putInFront();
        skipped = null;
      }
      Signal last = process.unread;
      if (last == null || last == skipped) {
        return null;
      }
      Signal before = skipped == null ? last : skipped;
      Signal signal = Objects.requireNonNull(before.next);
      if (signal.isDropped()) {
        process.takeOut(signal, skipped);
        boolean _ = signal.claim();
        continue;
      }
      if (signal instanceof Request request && request.call.isLapsed()) {
        process.takeOut(signal, skipped);
        if (signal.claim()) {
          request.drop(process);
        }
        continue;
      }
      Object seen = signal.look(process);
      if (seen == Message.GONE) {
        continue; // it is being dropped just now
      }
      boolean takes = wanted.test(seen);
      process.checkSignals(); // may add to the end of the list
      if (!follows(signal)) {
        skipped = null;
      } else if (takes) {
        process.takeOut(signal, skipped);
        Object message = signal.claim() ? process.taken(signal) : null;
        if (message != null) {
          return message;
        } // else a limit dropped it, or its caller gave up, while the test ran
      } else {
        skipped = signal;
      }
    }
  }

  /** Takes out what limits have dropped: nobody would come by what has been skipped. */
  private void sweep() {
    Signal last = process.unread;
    if (last == null) {
      return;
    }
    Signal before = null;
    Signal signal = Objects.requireNonNull(last.next);
    while (true) {
      Signal next = Objects.requireNonNull(signal.next);
      if (!signal.isDropped()) {
        before = signal;
      } else {
        if (signal == skipped) {
          skipped = before;
        }
        process.takeOut(signal, before);
        boolean _ = signal.claim();
      }
      if (signal == last) {
        return;
      }
      signal = next;
    }
  }

  /** Whether a signal still is what comes after those that were skipped. */
  private boolean follows(Signal signal) {
    Signal last = process.unread;
    if (last == null) {
      return false;
    }
    Signal before = skipped == null ? last : skipped;
    return before.next == signal;
  }
}
