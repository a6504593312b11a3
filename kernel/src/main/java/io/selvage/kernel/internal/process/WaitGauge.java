package io.selvage.kernel.internal.process;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How long messages wait in one mailbox, measured on one of them at a time.
 *
 * <pre>
 *   send:      the signal has become the n-th since the mailbox was empty, n a multiple of {@link #LAP}, in a mailbox that is
 *              not short: if no signal is marked, mark it: (n, now)
 *   receive:   n signals are done with, n a multiple of {@link #LAP}: if the n-th is marked, it has waited now - then;
 *              the mark is free for the next
 * </pre>
 *
 * <p>Both numbers are there anyway: {@link Signal#count} and the owner's count of what is done. So
 * messages have no field for it, and of 64 messages 63 pay for a comparison; of a mailbox that is
 * short all do. The measurement needs no list, since one is under way at a time: it takes as long
 * as the mailbox is, and the next begins then.
 *
 * <p>Where messages are taken out of turn, the n-th that is taken is not the n-th that came. The
 * mean is right all the same: what all together have waited does not depend on the order in which
 * they are taken, as in Little's law.
 *
 * <p>Numbers begin anew when the mailbox gets empty, or its owner waits for one message among many.
 * So a mark holds the period as well, for which the owner's count of all it has handled stands; one
 * of an earlier period is given up. Period and numbers are read without any order by senders: a
 * mark that is wrong for it is given up, too, or is late by what the sender was overtaken by.
 *
 * <p>Rejected: a time in each message (8 bytes and reading the clock, for all of them); a walk over
 * all mailboxes by a thread of its own (a million idle processes would keep it busy); a marked
 * signal beside the messages (lengths would count it).
 */
final class WaitGauge {
  /** One message of so many is looked at. A power of two. */
  static final int LAP = 64;

  /** What a number has in its low bits when it is one that is looked at: zero. */
  static final int LAP_BITS = LAP - 1;

  /** In a mailbox that is shorter no message is marked. */
  static final int SHORT = LAP / 2;

  /** The mean goes an eighth of the way to each new wait, as TCP's round trip time does. */
  private static final int WEIGHT = 8;

  /** A message that is measured. */
  private record Mark(int position, int period, long nanos) {}

  private static final VarHandle MARK;

  static {
    try {
      MARK = MethodHandles.lookup().findVarHandle(WaitGauge.class, "mark", Mark.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Set by senders, by compare-and-set; cleared by the owner. */
  private volatile @Nullable Mark mark;

  // Written by the owner, read by observers. The number last, so that who sees it sees a wait.
  private volatile long lastNanos;
  private volatile long meanNanos;
  private volatile long lastAt;
  private volatile long measured;

  /**
   * A signal has been pushed, whose number is one that is looked at. Any thread.
   *
   * @param position its number
   * @param process whose mailbox it is
   */
  void pushed(int position, LocalProcess<?> process) {
    Mark present = mark;
    if (present == null || !isUnderWay(present, process)) {
      Mark next = new Mark(position, process.period(), process.node.nanoTime());
      MARK.compareAndSet(this, present, next);
    }
  }

  /** The owner is done with a number of signals that is one that is looked at. Its thread only. */
  void passed(LocalProcess<?> process) {
    Mark present = mark;
    if (present == null || isUnderWay(present, process)) {
      return;
    }
    if (present.period == process.period() && present.position == process.done()) {
      long now = process.node.nanoTime();
      long wait = Math.max(0, now - present.nanos);
      long before = measured;
      meanNanos = before == 0 ? wait : meanNanos + (wait - meanNanos) / WEIGHT;
      lastNanos = wait;
      lastAt = now;
      measured = before + 1;
    }
    MARK.compareAndSet(this, present, null); // unless a sender has found out that it is over
  }

  private static boolean isUnderWay(Mark mark, LocalProcess<?> process) {
    return mark.period == process.period() && mark.position - process.done() > 0;
  }

  // ---------------------------------------------------------------- read by observers

  /** How many waits have been measured. */
  long measured() {
    return measured;
  }

  /** The last of them, in nanoseconds. */
  long last() {
    return lastNanos;
  }

  /** Their mean, of which the last ones count most, in nanoseconds. */
  long mean() {
    return meanNanos;
  }

  /** When the last was measured, by the node's clock. */
  long lastAt() {
    return lastAt;
  }

  /** For how long the marked message has waited so far; less than zero if none is marked. */
  long underWay(LocalProcess<?> process) {
    Mark present = mark;
    return present == null || !isUnderWay(present, process)
        ? -1
        : Math.max(0, process.node.nanoTime() - present.nanos);
  }
}
