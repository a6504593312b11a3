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
 *             an event process:                                   remembered, until its handler has ended; if that goes
 *                                                                 on and on: mute, here, its worker's queue handed over first
 *
 *   an event process that was pressed, between two messages:
 *             the first time:   its turn ends (it is slowed)
 *             then:             mute, by each receiver that pressed it, one after the other
 *
 *   mute(S by R):   enter R's list                       // sets HOLDING of R
 *                   publish the mute
 *                   look at R:    does it wait for a message or an item, has it ended, is it down to its low mark,
 *                                 does it wait for S, directly or through others?                        then leave
 *                   look at S:    has an exit signal come?                                               then leave
 *                                 does it hold others back? If it is over its high mark:                 then leave
 *                                                           if not, it lets them all go
 *                   MUTED, unless it has been released meanwhile
 *
 *   R:      after each message, if HOLDING and down to its low mark:    release as many as there is room for, oldest first
 *           begins to wait for a message or an item, then, if HOLDING:  release all
 *           begins to wait for a reply, then:                           if who is to reply waits for R: release that one
 *           has ended, then, if HOLDING:                                release all
 *   an exit signal to S, then, if S has published a mute:               release S
 *   the timer:   after the bound:                                       release S, which gets one more turn
 * </pre>
 *
 * <h2>Why nobody waits for ever</h2>
 *
 * <p>Draw an arrow from S to R while S is muted by R, and from a caller to the process it waits
 * for. Whoever makes an arrow publishes it first, and then follows the arrows from its new target:
 * so of those whose arrows close a circle, the last one sees the whole of it, and takes an arrow
 * out of it that is a mute. (That one circle of mutes alone cannot last follows from the lists as
 * well: of its processes take the one that was the last to look at itself; another had entered its
 * list before, so it found it, and was not muted, or let it go.) So each chain of arrows ends at a
 * process that is not muted and waits for no reply. It runs, and then takes messages until it is
 * down to its low mark, or waits, and releases either way; or it has ended, and has released; or it
 * is stuck in something that the kernel does not see, a lock, a database, room in a channel, a
 * reply that is to come from another than the one who was called: and then the timer releases.
 *
 * <p>A process that waits for a message or an item holds nobody back, since it may wait for the
 * very one: for a message that stands behind the mark, or an item that a muted process has. It
 * announces first that it waits, and then releases; a sender enters the list first, and then looks
 * at the receiver. So one of the two sees the other. A process that waits for a reply, or for room
 * in a channel, goes on holding others back: that is what a slow process does most of its time.
 *
 * <p>The order of a sender's looks matters as well. Whoever looks at himself before he has entered
 * the list can be in a circle with another who does the same; whoever looks at the receiver before,
 * can enter the list of one who has just waited, and stay there.
 *
 * <h2>How long a mailbox gets</h2>
 *
 * <p>At most as long as the high mark, and for each sender what it sends from when it is pressed
 * until it is muted: one message, or what an event process sends in two handlers. That needs three
 * rules that are easily got wrong. Lengths are read under the lock of the list, in the step that
 * takes senders out: else one who sends just then is let go as well. A process that is about to be
 * muted lets those go whom it holds back: else one that never gets empty would never be muted, and
 * what it forwards would grow for ever. But not if it is over its high mark: else its own mailbox
 * would. The design page "overload" has the proof, and a search of all interleavings of small
 * systems checks it.
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
 * turn ends. There an actor may be muted by several receivers at a time, and must count (ponyc
 * 3289); here by one after the other. There "overloaded" is a state of its own, and an overloaded
 * actor is never muted; here one that holds others back, which is what the proof needs: a process
 * whose mailbox only timers fill may well be muted. There pressure lasts as long as it lasts (and
 * may deadlock, if user code applies it: ponyc 3382); here a bound ends each mute.
 */
final class Backpressure {
  /** How far the arrows are followed; a longer circle is ended by the bound. */
  private static final int LONGEST_CHAIN = 64;

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
      boolean waits = !(sender instanceof EventProcess<?>) || sender.pressedBy(receiver, marks);
      if (waits) {
        waitInside(receiver, sender, runner, marks);
      }
    } catch (OutOfMemoryError e) {
      return; // whoever is not held back does no more harm than one who has never been
    }
  }

  /**
   * An event process was pressed, and is between two messages: it gives way.
   *
   * @param sender the process, whose thread this is
   * @return whether it is muted now: then the thread must not touch it any more. If not, its turn
   *     is over
   */
  static boolean givesWay(EventProcess<?> sender) {
    if (sender.isSlowedOnly()) {
      return false;
    }
    for (LocalProcess<?> r = sender.nextPresser(); r != null; r = sender.nextPresser()) {
      Marks marks = r.marks();
      try {
        if (r.observedLength() > marks.high() && begin(new Mute(r, sender, null), marks)) {
          return true;
        }
      } catch (OutOfMemoryError e) {
        // As if it had not been pressed by this one.
      }
    }
    return false;
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
      if (sender != null
          && (leadsTo(receiver, sender) || sender.isSignalled() || !letsAllGo(sender))) {
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
      try {
        LocalProcess<?> receiver = mute.receiver;
        Duration bound = receiver.marks().bound();
        receiver.node.emit(
            new KernelEvent.MutedLong(
                mute.sender,
                receiver,
                receiver.observedLength(),
                bound,
                count,
                Census.of(receiver)));
      } catch (OutOfMemoryError e) {
        return; // it is counted; the sender goes on
      }
    }
  }

  /** The receiver has taken a message. Its thread only. */
  static void relax(LocalProcess<?> receiver) {
    Pressure pressure = receiver.pressureOrNull();
    if (pressure != null) {
      release(pressure.takeAsManyAsFit(receiver));
    }
  }

  /** The receiver waits for a message or an item, or has ended. Any thread. */
  static void releaseAll(LocalProcess<?> receiver) {
    Pressure pressure = receiver.pressureOrNull();
    if (pressure != null) {
      release(pressure.takeAllOfWaiting(receiver));
    }
  }

  private static boolean letsAllGo(LocalProcess<?> sender) {
    Pressure pressure = sender.pressureOrNull();
    return pressure == null || pressure.takeAllOfMuted(sender, Backpressure::release);
  }

  private static void release(@Nullable Mute chain) {
    if (chain == null) {
      return;
    }
    Runner runner = Runner.current();
    for (Mute mute = chain; mute != null; ) {
      Mute next = mute.nextHeld;
      mute.nextHeld = null;
      mute.release(runner);
      mute = next;
    }
  }

  // ---------------------------------------------------------------- who waits for whom

  /** Whether a process waits for another, directly or through others, as far as can be seen. */
  private static boolean leadsTo(LocalProcess<?> from, LocalProcess<?> to) {
    LocalProcess<?> at = from;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
      at = at.waitsFor();
      if (at == null || at == to) {
        return at != null;
      }
    }
    return false;
  }

  /**
   * A process has announced that it waits for a reply: if who is to reply waits for it, one of
   * those in between goes on. Its thread only.
   */
  static void beforeReply(LocalProcess<?> caller) {
    Mute found = null;
    LocalProcess<?> at = caller.waitsFor();
    for (int i = 0; i < LONGEST_CHAIN && at != null && at != caller; i++) {
      Mute mute = at.mute();
      if (mute != null && found == null) {
        found = mute;
      }
      at = mute == null ? at.waitsFor() : mute.receiver;
    }
    if (at == caller && found != null) {
      found.release(Runner.current());
    }
  }
}
