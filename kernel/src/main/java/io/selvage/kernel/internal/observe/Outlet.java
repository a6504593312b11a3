package io.selvage.kernel.internal.observe;

import io.selvage.kernel.Subscription;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.Possession;
import io.selvage.kernel.internal.process.StackReserve;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hands news over to one subscriber, who may be slow.
 *
 * <pre>
 *   offer(n):   if the second is full, or capacity news wait:  lost++
 *               else waiting++, deliver(n)           (a push, or an entry in a queue: never a wait)
 *   taken:      waiting--                            (called when the subscriber is about to see it)
 *               if lost has grown: show the subscriber how many were lost, too
 * </pre>
 *
 * <p>Offering runs where the news happen: on workers, in senders, on the timer thread. So it takes
 * no lock, runs no code of the user, and lets no error out.
 *
 * @param <N> the news
 */
public abstract sealed class Outlet<N> extends Possession implements Subscription
    permits FunctionOutlet, ProcessOutlet {
  private static final long SECOND = 1_000_000_000L;

  private final int capacity;
  private final int perSecond;
  private final LongFunction<N> lossNotice;

  /** The losses of all outlets of a kind. */
  private final LongAdder sum;

  private volatile boolean closed;

  /** Whether all that follows from closing has been done. */
  private volatile boolean cleared;

  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong lost = new AtomicLong();

  /** How many of those lost the subscriber has been told of. The subscriber's thread only. */
  private long lostTold;

  /** The second that is counted, and how many news it had. Any thread; roughly. */
  private volatile long second = Long.MIN_VALUE;

  private final AtomicInteger inSecond = new AtomicInteger();

  /** Called when this is closed, until it has returned once. Set before this is known to others. */
  private Runnable whenClosed = () -> {};

  Outlet(int capacity, int perSecond, LongAdder sum, LongFunction<N> lossNotice) {
    this.capacity = capacity;
    this.perSecond = perSecond;
    this.sum = sum;
    this.lossNotice = lossNotice;
  }

  /**
   * What to do when this is closed; before this is known to others. It is done again if it lacked
   * memory, and by each of two threads that close at once.
   */
  public final void whenClosed(Runnable action) {
    whenClosed = action;
  }

  /** The process that this belongs to, or null. */
  public abstract @Nullable LocalProcess<?> owner();

  /** Hands one over. Must not wait. Answers false if the subscriber is gone. */
  abstract boolean deliver(N news);

  /** This was closed. */
  abstract void ended();

  /** Tells the subscriber, or counts what it will not be told. */
  public final void offer(N news) {
    if (closed) {
      return;
    }
    if (isSecondFull()) {
      missed();
      return;
    }
    if (waiting.incrementAndGet() > capacity) {
      lose();
      return;
    }
    try {
      if (!deliver(news)) {
        close();
      }
    } catch (OutOfMemoryError e) {
      lose();
    }
  }

  private boolean isSecondFull() {
    if (perSecond == Integer.MAX_VALUE) {
      return false;
    }
    long now = System.nanoTime() / SECOND;
    if (now != second) {
      second = now; // two threads may both begin it: then a few more may pass
      inSecond.set(0);
    }
    return inSecond.get() >= perSecond || inSecond.incrementAndGet() > perSecond;
  }

  private void lose() {
    waiting.decrementAndGet();
    missed();
  }

  /** Something could not even be made for this subscriber. */
  final void missed() {
    lost.incrementAndGet();
    sum.increment();
  }

  /** The subscriber is about to see a piece of news. Its thread. */
  final void taken() {
    waiting.decrementAndGet();
  }

  /**
   * What to show the subscriber if something was lost since it was last told; or null. Its thread.
   */
  final @Nullable N newLoss() {
    long now = lost.get();
    if (now == lostTold) {
      return null;
    }
    N notice = lossNotice.apply(now - lostTold);
    lostTold = now;
    return notice;
  }

  @Override
  public final long lost() {
    return lost.get();
  }

  @Override
  public final boolean isOpen() {
    return !closed;
  }

  @Override
  public final void close() {
    StackReserve.ensure();
    release();
    LocalProcess<?> owner = owner();
    if (owner != null) {
      owner.disown(this);
    }
  }

  /** Closes this; its process ends, if it has one. */
  @Override
  protected final void release() {
    closed = true;
    if (!cleared) {
      whenClosed.run();
      ended();
      cleared = true;
    }
  }
}
