package io.selvage.kernel.internal.process;

import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One time that a sender is held back by a receiver; see {@link Backpressure}. It is its own timer,
 * for the longest that it may last.
 *
 * <pre>
 *   NEW ── the sender has looked at everything ──► MUTED ── released ──► RELEASED: the sender goes on
 *    └──── released before that ───────────────────────────────────────► RELEASED: the sender just goes on
 * </pre>
 *
 * <p>Whoever takes the step to RELEASED from MUTED makes the sender go on, so it does so once,
 * however many release it: the receiver, the timer, an exit signal.
 */
final class Mute extends TimerNode {
  private static final int NEW = 0;
  private static final int MUTED = 1;
  private static final int RELEASED = 2;
  private static final VarHandle STEP;

  static {
    try {
      STEP = MethodHandles.lookup().findVarHandle(Mute.class, "step", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Who holds the sender back. */
  final LocalProcess<?> receiver;

  /** The receiver's list. Kept here, since one who has ended lets go of his. */
  final Pressure pressure;

  /** Who is held back; null if a thread is that is no process. */
  final @Nullable LocalProcess<?> sender;

  /** The thread that waits inside send; null if an event process is muted between two messages. */
  private final @Nullable Thread thread;

  /** Any thread, by the steps above. */
  @SuppressWarnings("unused") // through STEP
  private volatile int step;

  /** Whether it was the timer that ended it. Written before the step, read after it. */
  private boolean outlasted;

  /** Whether the timer was set. The sender's. */
  private boolean timed;

  // The neighbours in the receiver's list, and whether it is in. Under the lock of the list.
  @Nullable Mute previousHeld;
  @Nullable Mute nextHeld;
  boolean entered;

  Mute(LocalProcess<?> receiver, @Nullable LocalProcess<?> sender, @Nullable Thread thread) {
    this.receiver = receiver;
    this.pressure = receiver.pressure();
    this.sender = sender;
    this.thread = thread;
  }

  /** Sets the timer. The sender, before {@link #begin}. */
  void endsAfter(long nanos) {
    timed = true;
    wheel().schedule(nanos, this);
  }

  /** The last step of the sender. Answers false if it has been released meanwhile. */
  boolean begin() {
    return STEP.compareAndSet(this, NEW, MUTED);
  }

  boolean isReleased() {
    return step == RELEASED;
  }

  /**
   * Lets the sender go on. Any thread.
   *
   * @param runner the runner of the calling thread, or null
   */
  void release(@Nullable Runner runner) {
    if ((int) STEP.getAndSet(this, RELEASED) == MUTED) {
      if (thread != null) {
        receiver.node.threads().unpark(thread);
      } else if (sender != null) {
        sender.wake(runner);
      }
    }
  }

  /**
   * The sender goes on: cancels the timer. The sender's.
   *
   * @return whether it was the timer that let it go on
   */
  boolean end() {
    return timed && !cancel() && outlasted;
  }

  @Override
  protected TimerWheel wheel() {
    return sender == null ? receiver.node.wheel() : sender.node.wheel();
  }

  @Override
  protected void fire() {
    outlasted = true;
    release(null);
  }

  @Override
  protected void closed() {
    release(null);
  }
}
