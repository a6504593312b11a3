package io.selvage.kernel.internal.process;

import io.selvage.kernel.Marks;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.schedule.Milestone;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Back-pressure: who sends faster than a receiver can handle is held back until it has caught up.
 *
 * <h2>The protocol</h2>
 *
 * <pre>
 *   send:   the message is put into the mailbox, in any case
 *           if its length is past the receiver's high mark, the sender is pressed:
 *             a direct process, or a thread that is no process:   mute, here, inside send
 *             an event process:                                   remembered, until its handler has ended; past the hard
 *                                                                 mark: mute, here, its worker's queue handed over first
 *
 *   an event process that was pressed, between two messages:
 *             the first time:   its turn ends (it is slowed)
 *             then:             mute
 *
 *   mute(S by R):   enter R's list                       // sets HOLDING of R
 *                   look at R:    does it wait, has it ended, is it down to its low mark?      then leave
 *                   look at S:    does it hold others back, has an exit signal come?           then leave
 *                   MUTED, unless it has been released meanwhile
 *
 *   R:      after each message, if HOLDING and down to its low mark:    release as many as there is room for, oldest first
 *           begins to wait (for a message, a reply, a channel), then, if HOLDING:    release all
 *           has ended, then, if HOLDING:                                release all
 *   an exit signal to S, then, if S is muted:                           release S
 *   the timer:   after the bound:                                       release S, which gets one more turn
 * </pre>
 *
 * <h2>Why nobody waits for ever</h2>
 *
 * <p>Draw an arrow from S to R while S is muted by R. There is no cycle: in a cycle, take the
 * process Z that was the last to look at itself. Another, Y, is muted by Z; it entered Z's list
 * before it looked at itself, so before Z looked, and is still there: so Z saw that it held
 * somebody back, and was not muted. So each chain of arrows ends at a process that is not muted. It
 * runs, and then takes messages until it is down to its low mark, or waits, and releases either
 * way; or it has ended, and has released; or it is stuck in something that the kernel does not see,
 * a lock or a database, and then the timer releases.
 *
 * <p>A process that waits holds nobody back, since it may wait for the very one: a caller for the
 * reply of a process that it has muted, a selective receive for a message that stands behind the
 * mark. It announces first that it waits, and then releases; a sender enters the list first, and
 * then looks at the receiver. So one of the two sees the other.
 *
 * <p>The order of a sender's looks matters as well. Whoever looks at himself before he has entered
 * the list can be in a cycle with another who does the same; whoever looks at the receiver before,
 * can enter the list of one who has just waited, and stay there.
 *
 * <h2>What it costs</h2>
 *
 * <p>Where nobody is pressed: for the sender the difference of two numbers of which it has just
 * written one, in the cache line that it has just written; for the receiver one bit more in a mask
 * that it looks at anyway. All else is here, out of the way.
 *
 * <p>Exempt are signals that are no messages, replies, timers, a request whose caller waits for the
 * reply, a process's sends to itself, and the kernel's own threads: none of them is what overloads
 * a node, and holding them back could keep somebody from what would end the overload.
 *
 * <h2>Where it differs from Pony</h2>
 *
 * <p>Source: the back-pressure of Pony's runtime. There a sender is muted at the first message to
 * an overloaded receiver, which stalls many that send to one (ponyc 2980, 4151); here first its
 * turn ends. There an actor may be muted by several receivers, and must count (ponyc 3289); here by
 * one, the last that pressed it, and the others press it again. There "overloaded" is a state of
 * its own, and an overloaded actor is never muted; here one that holds others back, which is what
 * the proof needs: a process whose mailbox only timers fill may well be muted. There pressure lasts
 * as long as it lasts (and may deadlock, if user code applies it: ponyc 3382); here a bound ends
 * each mute.
 */
final class Backpressure {
  private Backpressure() {}

  /**
   * A message has been put into a mailbox that seems to be too long.
   *
   * @param receiver whose mailbox
   * @param sender who sent it; null if a thread that is no process did
   * @param runner the runner of the calling thread, or null
   */
  static void press(
      LocalProcess<?> receiver, @Nullable LocalProcess<?> sender, @Nullable Runner runner) {
    if (sender == receiver || (sender == null && runner != null)) {
      return;
    }
    Marks marks = receiver.marks();
    int length = receiver.observedLength();
    if (length <= marks.high() || receiver.waitsOrHasEnded()) {
      return;
    }
    try {
      if (sender instanceof EventProcess<?> && length <= marks.hard()) {
        sender.pressedBy(receiver);
      } else {
        waitInside(receiver, sender, runner, marks);
      }
    } catch (OutOfMemoryError e) {
      return; // whoever is not held back does no more harm than one who has never been
    }
  }

  /**
   * Mutes an event process that was pressed, between two messages. On its thread, which must not
   * touch it any more if the answer is true.
   */
  static boolean mute(EventProcess<?> sender, LocalProcess<?> receiver) {
    try {
      return begin(new Mute(receiver, sender, null), receiver.marks());
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private static void waitInside(
      LocalProcess<?> receiver,
      @Nullable LocalProcess<?> sender,
      @Nullable Runner runner,
      Marks marks) {
    Mute mute = new Mute(receiver, sender, Thread.currentThread());
    if (!begin(mute, marks)) {
      return;
    }
    Scheduler blocked =
        sender != null && runner != null && runner.holdsWorker() ? sender.node.scheduler() : null;
    boolean interrupted = false;
    try {
      if (blocked != null) {
        blocked.beforeBlock();
      }
      try {
        while (!mute.isReleased()) {
          receiver.node.threads().park(mute);
          // An interrupt would keep the thread from parking. If an exit signal has brought it, that
          // has released the mute.
          interrupted |= Thread.interrupted();
        }
      } finally {
        if (blocked != null) {
          blocked.afterBlock();
        }
      }
    } finally {
      end(mute);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (sender != null) {
      sender.checkSignals();
    }
  }

  /** The steps of the sender. Answers whether it is muted now; if not, nothing is left behind. */
  private static boolean begin(Mute mute, Marks marks) {
    LocalProcess<?> receiver = mute.receiver;
    LocalProcess<?> sender = mute.sender;
    mute.pressure.enter(mute);
    boolean muted = false;
    try {
      if (sender != null) {
        sender.beginMute(mute);
      }
      if (receiver.waitsOrHasEnded() || receiver.observedLength() <= marks.low()) {
        return false;
      }
      if (sender != null && (sender.isHolding() || sender.isSignalled())) {
        return false;
      }
      mute.endsAfter(LocalNode.nanos(marks.bound(), "bound"));
      receiver.node.muted();
      muted = mute.begin();
      return muted;
    } finally {
      if (!muted) {
        end(mute);
      }
    }
  }

  /** The sender goes on. On its thread. */
  static void end(Mute mute) {
    LocalProcess<?> sender = mute.sender;
    if (sender != null) {
      sender.endMute();
    }
    mute.pressure.leave(mute);
    if (mute.end()) {
      tell(mute, mute.pressure.countOutlasted());
    }
  }

  private static void tell(Mute mute, long count) {
    if (Milestone.isReached(count)) {
      LocalProcess<?> receiver = mute.receiver;
      Duration bound = receiver.marks().bound();
      receiver.node.emit(
          new KernelEvent.MutedLong(
              mute.sender, receiver, receiver.observedLength(), bound, count));
    }
  }

  /**
   * The receiver has taken a message: it lets some go on, if it is down to its low mark. Its thread
   * only.
   */
  static void relax(LocalProcess<?> receiver) {
    Marks marks = receiver.marks();
    int length = receiver.observedLength();
    if (length <= marks.low()) {
      release(receiver, marks.high() - length);
    }
  }

  /** The receiver waits or has ended, and holds nobody back any more. Any thread. */
  static void releaseAll(LocalProcess<?> receiver) {
    release(receiver, Integer.MAX_VALUE);
  }

  private static void release(LocalProcess<?> receiver, int most) {
    Pressure pressure = receiver.pressureOrNull();
    if (pressure == null) {
      return;
    }
    Runner runner = Runner.current();
    for (int n = 0; n < most; n++) {
      Mute oldest = pressure.poll();
      if (oldest == null) {
        return;
      }
      oldest.release(runner);
    }
  }
}
