package io.selvage.kernel.spi;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.internal.process.ThreadWaiter;
import java.util.function.BooleanSupplier;

/**
 * The calling thread as one that waits for something outside the kernel: what a module that is
 * built on the kernel blocks with. If the thread runs a process, the wait is one of the kernel's
 * own: an exit signal ends it, the handler of an event process hands its worker's queue over
 * before, times follow the node's clock, and threads are parked by the node's {@link ThreadSource}.
 * Any other thread is parked by the JDK.
 *
 * <p>Good for the thread that made it; {@link #wake} may be called by any. What is written before a
 * wake is seen after the wait that it ends only as far as the condition of the wait makes it so.
 */
public sealed interface Waiter permits ThreadWaiter {
  /** In place of nanoseconds: as long as it takes. */
  long FOR_EVER = -1;

  /**
   * A waiter for the calling thread.
   *
   * @return the waiter
   */
  static Waiter current() {
    return ThreadWaiter.current();
  }

  /**
   * A kernel call that does nothing but end a process that an exit signal has ended. No effect on
   * threads that run no process.
   *
   * @throws io.selvage.kernel.ProcessEndedError if the process has been ended
   */
  static void checkpoint() {
    ThreadWaiter.checkpoint();
  }

  /**
   * Waits until a condition holds.
   *
   * @param over the condition; asked often, by the calling thread alone
   * @param nanos how long at most, or {@link #FOR_EVER}
   * @return whether the condition held; false if the time passed before
   * @throws InterruptedException if the thread was interrupted, and not by an exit signal
   * @throws io.selvage.kernel.ProcessEndedError if the process has been ended
   */
  boolean await(BooleanSupplier over, long nanos) throws InterruptedException;

  /**
   * Waits until there is room for something that the calling process hands on. Departure from
   * {@link #await}: who waits for something to come may wait for one that sends to it, so nobody is
   * held back by it meanwhile; who waits for room is slow, and those who send to it are held back
   * as while it works.
   *
   * @param over whether there is room; asked often, by the calling thread alone
   * @param nanos how long at most, or {@link #FOR_EVER}
   * @return whether there was room; false if the time passed before
   * @throws InterruptedException if the thread was interrupted, and not by an exit signal
   * @throws io.selvage.kernel.ProcessEndedError if the process has been ended
   */
  boolean awaitRoom(BooleanSupplier over, long nanos) throws InterruptedException;

  /** What ended a wait for a condition or a message. */
  enum End {
    /** The condition holds. */
    CONDITION,
    /** The mailbox may hold a message, which nobody has taken yet. */
    MESSAGE,
    /** The time passed before. */
    TIME
  }

  /**
   * Waits until a condition holds, or a message is in the mailbox of the process.
   *
   * @param self the process that this thread runs
   * @param over the condition; asked often, by the calling thread alone
   * @param nanos how long at most, or {@link #FOR_EVER}; zero only looks
   * @return what ended it; the condition, if both hold. A message may turn out to be none when it
   *     is received, if it came through an alias that has been revoked.
   * @throws InterruptedException if the thread was interrupted, and not by an exit signal
   * @throws IllegalStateException if this thread runs another process, or none
   * @throws io.selvage.kernel.ProcessEndedError if the process has been ended
   */
  End awaitOrMessage(DirectSelf<?> self, BooleanSupplier over, long nanos)
      throws InterruptedException;

  /**
   * The time that the waits of this thread follow: that of its process's node, or the JVM's.
   *
   * @return nanoseconds from an arbitrary start; only differences have a meaning
   */
  long nanoTime();

  /** Lets the thread look at its condition again. Any thread; never blocks. */
  void wake();
}
