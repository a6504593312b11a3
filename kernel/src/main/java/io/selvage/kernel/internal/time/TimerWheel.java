package io.selvage.kernel.internal.time;

import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.Clock;
import io.selvage.kernel.spi.SpinLock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All timers of a node: a hierarchical timing wheel, turned by one thread.
 *
 * <h2>The wheel</h2>
 *
 * <p>Time is cut into ticks of 2^20 ns (about a millisecond). Level 0 has 64 buckets of one tick
 * each, level 1 has 64 of 64 ticks, and so on; eight levels hold 2^48 ticks, which is more than a
 * {@code long} of nanoseconds. A timer goes into the level of the highest digit (to the base 64) in
 * which its deadline differs from the present tick, into the bucket of that digit:
 *
 * <pre>
 *   insert(t):   level = highest digit where t's tick and the present one differ
 *                bucket = that digit of t's tick; append t; set the bucket's bit in occupied[level]
 *   next:        the lowest level that has a bit, the lowest bit there
 *   turn:        while next's start is not after now:
 *                  tick = its start
 *                  each timer in it: due if its tick is the present one, else insert again (it falls to a lower level)
 * </pre>
 *
 * <p>Why {@code next} is right: a timer in level L shares with the tick all digits above L, and its
 * digit L is greater. So any timer of a lower level is due before any of a higher one. Moving the
 * tick on to any time before the next bucket's start keeps this true.
 *
 * <p>Setting, cancelling and firing take constant time (a timer falls at most seven times), and an
 * empty stretch of time costs nothing: the thread sleeps until the next bucket. Source: Varghese
 * and Lauck, "Hashed and hierarchical timing wheels" (1987), scheme 7, with the choice of level by
 * exclusive-or that tokio's timer uses. Unlike there, a bucket is emptied a few timers at a time,
 * so that the lock is never held for longer than {@link #BATCH} timers, whatever falls due at once;
 * while a bucket is half empty ({@code draining}), nothing else is turned.
 *
 * <h2>Cancel against fire</h2>
 *
 * <p>Under the lock a due timer leaves its bucket and becomes FIRING; then, without the lock, the
 * timer thread fires it and marks it FIRED. A cancel that finds FIRING waits for FIRED before it
 * answers false: so "too late" always means "the message is in the mailbox".
 *
 * <h2>Setting against the end of the owner</h2>
 *
 * <p>A process that ends cancels its timers. Its own thread sets no more then; others may, whose
 * timers belong to it, too. They mark it first, and look under the lock whether it is ending; it
 * says that it is ending, and if it was marked takes the lock to cancel. So either the canceller
 * comes later and finds the timer, or the setter does and finds the owner ending. A process that
 * was never marked and has no timers ends without the lock.
 */
public final class TimerWheel {
  private static final int TICK_SHIFT = 20;
  private static final int DIGIT = 6;
  private static final int BUCKETS = 1 << DIGIT;
  private static final int LEVELS = 8;
  private static final int BATCH = 64;
  private static final long TICK_REST = (1L << TICK_SHIFT) - 1;
  private static final long NEVER = Long.MAX_VALUE;

  /** The last time there is, 292 years after the wheel was made: the beginning of a tick. */
  static final long END_OF_TIME = NEVER & ~TICK_REST;

  private final Clock clock;
  private final BiConsumer<String, Throwable> faults;
  private final long start;
  private final Thread thread;
  private final SpinLock lock = new SpinLock();

  // All below guarded by the lock.
  private final @Nullable TimerNode[] heads = new TimerNode[LEVELS * BUCKETS];
  private final @Nullable TimerNode[] tails = new TimerNode[LEVELS * BUCKETS];
  private final long[] occupied = new long[LEVELS];
  private int draining = -1;
  private long tick;
  private long size;

  /** The tick until which the thread sleeps, or 0 while it works. */
  private long sleepsUntil;

  private boolean closed;

  /**
   * A wheel whose thread runs until {@link #close}, and keeps the JVM alive until then.
   *
   * @param clock the time
   * @param nodeName for the name of the thread
   * @param faults told when firing a timer failed
   */
  public TimerWheel(Clock clock, String nodeName, BiConsumer<String, Throwable> faults) {
    this.clock = clock;
    this.faults = faults;
    this.start = clock.nanoTime();
    this.thread = new Thread(null, this::run, "selvage-" + nodeName + "-timer", 0, false);
    thread.setDaemon(false);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /**
   * Sets a timer.
   *
   * @param delay how long, in nanoseconds; zero or less fires it before this returns
   * @param timer the timer, which is new
   * @return the timer
   */
  public <T extends TimerNode> T schedule(long delay, T timer) {
    if (delay <= 0) {
      timer.setState(TimerNode.FIRED);
      timer.fire();
      return timer;
    }
    return scheduleAt(later(now(), delay), timer);
  }

  /**
   * Sets a timer.
   *
   * @param deadline when it is due, in the nanoseconds of {@link #now}
   * @param timer the timer, which is new
   * @return the timer
   */
  public <T extends TimerNode> T scheduleAt(long deadline, T timer) {
    set(deadline, timer, TimerNode.NEW);
    return timer;
  }

  /**
   * Sets a timer again that has fired, unless it was cancelled.
   *
   * @param deadline when it is due, in the nanoseconds of {@link #now}
   * @param timer the timer, which repeats
   */
  public void again(long deadline, TimerNode timer) {
    while (timer.state == TimerNode.FIRING) {
      Thread.onSpinWait(); // the timer thread has pushed the message and is about to say so
    }
    set(deadline, timer, TimerNode.FIRED);
  }

  private void set(long deadline, TimerNode timer, int from) {
    boolean wake = false;
    boolean late;
    boolean refused = false;
    lock.acquire();
    try {
      late = closed;
      refused = timer.isRefused();
      if (timer.state != from) {
        return;
      }
      if (late || refused) {
        timer.setState(TimerNode.CANCELLED);
      } else {
        timer.deadline = deadline;
        insert(timer);
        own(timer);
        size++;
        wake = dueTick(timer) < sleepsUntil;
        if (wake) {
          sleepsUntil = 0;
        }
      }
    } finally {
      lock.release();
    }
    if (wake) {
      clock.wake(thread);
    }
    if (refused) {
      timer.dropped();
    } else if (late) {
      timer.closed();
    }
  }

  boolean cancel(TimerNode timer) {
    while (true) {
      int state;
      lock.acquire();
      try {
        state = timer.state;
        if (state >= 0) {
          remove(timer);
          timer.setState(TimerNode.CANCELLED);
          return true;
        }
        if (state == TimerNode.FIRED && timer.repeats()) {
          timer.setState(TimerNode.CANCELLED);
        }
      } finally {
        lock.release();
      }
      // What was seen under the lock decides: one that has fired since may repeat, and is not
      // cancelled yet.
      if (state != TimerNode.FIRING || Thread.currentThread() == thread) {
        return false;
      }
      while (timer.state == TimerNode.FIRING) {
        Thread.onSpinWait();
      }
      // One that repeats may be cancelled now that it has fired, and may be set again already.
    }
  }

  /** How long until a timer is due, or empty if it is not set. */
  Optional<Duration> remaining(TimerNode timer) {
    long deadline;
    lock.acquire();
    try {
      if (timer.state < 0) {
        return Optional.empty();
      }
      deadline = timer.deadline;
    } finally {
      lock.release();
    }
    return Optional.of(until(deadline));
  }

  /** How long until a time of the wheel; zero if it has come. */
  Duration until(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - now()));
  }

  /** Nanoseconds since the wheel was made, by its clock. */
  public long now() {
    return clock.nanoTime() - start;
  }

  /**
   * A time that lies after another.
   *
   * @param time a time of the wheel
   * @param delay nanoseconds, zero or more
   * @return their sum, or the end of time
   */
  public static long later(long time, long delay) {
    long sum = time + delay;
    return sum < 0 ? END_OF_TIME : Math.min(sum, END_OF_TIME);
  }

  /**
   * Cancels all timers of a process that is ending, and so sets no more. Those that others set from
   * now on are refused.
   *
   * @param owner the process
   * @param othersToo whether others may have set some: without the lock, its thread sees only its
   *     own
   */
  public void cancelAll(LocalProcess<?> owner, boolean othersToo) {
    boolean more = othersToo || owner.timers != null;
    @Nullable TimerNode fromOthers = null;
    while (more) {
      lock.acquire();
      try {
        for (int i = 0; i < BATCH && owner.timers != null; i++) {
          TimerNode timer = owner.timers;
          remove(timer);
          timer.setState(TimerNode.CANCELLED);
          if (timer.isFromOther()) {
            timer.next = fromOthers;
            fromOthers = timer;
          }
        }
        more = owner.timers != null;
      } finally {
        lock.release();
      }
      while (fromOthers != null) {
        TimerNode timer = fromOthers;
        fromOthers = timer.following();
        timer.next = null;
        timer.dropped();
      }
    }
  }

  /** How many timers are set. */
  public long size() {
    lock.acquire();
    try {
      return size;
    } finally {
      lock.release();
    }
  }

  /**
   * How many timers a process has set. Any thread.
   *
   * @param owner the process
   */
  public int count(LocalProcess<?> owner) {
    if (owner.timers == null) { // roughly, as all that observers see; most have none
      return 0;
    }
    lock.acquire();
    try {
      return owner.timers == null ? 0 : owner.timers.ownedCount();
    } finally {
      lock.release();
    }
  }

  /**
   * Ends the thread. Timers that are set are dropped, and later ones too; see {@link
   * TimerNode#closed}.
   */
  public void close() {
    lock.acquire();
    try {
      closed = true;
    } finally {
      lock.release();
    }
    clock.wake(thread);
  }

  /**
   * Waits, after {@link #close}, until what was set has been dropped.
   *
   * @param nanos how long at most
   * @return whether the calling thread was interrupted meanwhile, which ends the wait
   */
  public boolean awaitThread(long nanos) {
    if (Thread.currentThread() == thread) {
      return false;
    }
    try {
      thread.join(Duration.ofNanos(nanos));
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  // ---------------------------------------------------------------- under the lock

  /** The first tick in which a timer is due. */
  private static long dueTick(TimerNode timer) {
    return (timer.deadline + TICK_REST) >>> TICK_SHIFT;
  }

  private void insert(TimerNode timer) {
    long due = Math.max(dueTick(timer), tick + 1); // who set it may have read the clock before
    int level = (63 - Long.numberOfLeadingZeros(due ^ tick)) / DIGIT;
    int slot = (int) (due >>> (level * DIGIT)) & (BUCKETS - 1);
    int bucket = level * BUCKETS + slot;
    timer.setState(bucket);
    TimerNode tail = tails[bucket];
    timer.previous = tail;
    timer.next = null;
    if (tail == null) {
      heads[bucket] = timer;
      occupied[level] |= 1L << slot;
    } else {
      tail.next = timer;
    }
    tails[bucket] = timer;
  }

  private void takeFromBucket(TimerNode timer) {
    int bucket = timer.state;
    TimerNode before = timer.previous;
    TimerNode after = timer.following();
    if (before == null) {
      heads[bucket] = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      tails[bucket] = before;
    } else {
      after.previous = before;
    }
    if (heads[bucket] == null) {
      occupied[bucket / BUCKETS] &= ~(1L << (bucket % BUCKETS));
    }
    timer.previous = null;
    timer.next = null;
  }

  /** Takes a timer out for good. */
  private void remove(TimerNode timer) {
    takeFromBucket(timer);
    LocalProcess<?> owner = timer.owner();
    if (owner != null) {
      TimerNode before = timer.previousOwned;
      TimerNode after = timer.nextOwned;
      int left = Objects.requireNonNull(owner.timers).ownedCount() - 1;
      if (before == null) {
        owner.timers = after;
      } else {
        before.nextOwned = after;
      }
      if (after != null) {
        after.previousOwned = before;
      }
      timer.previousOwned = null;
      timer.nextOwned = null;
      if (owner.timers != null) {
        owner.timers.ownedCount(left);
      }
    }
    size--;
  }

  private static void own(TimerNode timer) {
    LocalProcess<?> owner = timer.owner();
    if (owner != null) {
      TimerNode first = owner.timers;
      timer.nextOwned = first;
      timer.ownedCount(first == null ? 1 : first.ownedCount() + 1);
      if (first != null) {
        first.previousOwned = timer;
      }
      owner.timers = timer;
    }
  }

  /** The bucket to be turned next, or -1. */
  private int nextBucket() {
    if (draining >= 0 && heads[draining] != null) {
      return draining;
    }
    draining = -1;
    for (int level = 0; level < LEVELS; level++) {
      if (occupied[level] != 0) {
        return level * BUCKETS + Long.numberOfTrailingZeros(occupied[level]);
      }
    }
    return -1;
  }

  /** The first tick of a bucket that lies ahead. */
  private long startOf(int bucket) {
    int shift = bucket / BUCKETS * DIGIT;
    long above = tick >>> (shift + DIGIT) << (shift + DIGIT);
    return above | (long) (bucket % BUCKETS) << shift;
  }

  /**
   * Turns the wheel up to the present time, or until the batch is full.
   *
   * @return how many due timers are in the batch; if it is not full, {@code sleepsUntil} says when
   *     to go on
   */
  private int turn(long now, @Nullable TimerNode[] batch) {
    int due = 0;
    for (int touched = 0; touched < BATCH; touched++) {
      int bucket = nextBucket();
      if (bucket < 0) {
        tick = Math.max(tick, now);
        sleepsUntil = NEVER;
        return due;
      }
      if (bucket != draining) {
        long begins = startOf(bucket);
        if (begins > now) {
          tick = Math.max(tick, now);
          sleepsUntil = begins;
          return due;
        }
        tick = begins;
        draining = bucket;
      }
      TimerNode timer = Objects.requireNonNull(heads[bucket]);
      if (dueTick(timer) <= tick) {
        remove(timer);
        timer.setState(TimerNode.FIRING);
        batch[due++] = timer;
      } else {
        takeFromBucket(timer);
        insert(timer);
      }
    }
    sleepsUntil = 0;
    return due;
  }

  // ---------------------------------------------------------------- the thread

  private void run() {
    @Nullable TimerNode[] batch = new TimerNode[BATCH];
    while (true) {
      long now = (clock.nanoTime() - start) >>> TICK_SHIFT;
      int due;
      lock.acquire();
      try {
        if (closed) {
          break;
        }
        due = turn(now, batch);
      } finally {
        lock.release();
      }
      for (int i = 0; i < due; i++) {
        fire(Objects.requireNonNull(batch[i]));
        batch[i] = null;
      }
      long sleep =
          sleepsUntil(); // read now: whoever has changed it meanwhile may have woken us in vain
      if (sleep != 0) {
        clock.parkUntil(
            sleep == NEVER ? clock.nanoTime() + NEVER / 2 : start + (sleep << TICK_SHIFT));
      }
    }
    dropAll();
  }

  private long sleepsUntil() {
    lock.acquire();
    try {
      return sleepsUntil;
    } finally {
      lock.release();
    }
  }

  /** The wheel is closed: nothing is added any more, and what is left will not fire. */
  private void dropAll() {
    for (int bucket = 0; bucket < heads.length; bucket++) {
      for (TimerNode timer = takeFirst(bucket); timer != null; timer = takeFirst(bucket)) {
        timer.closed();
      }
    }
  }

  private @Nullable TimerNode takeFirst(int bucket) {
    lock.acquire();
    try {
      TimerNode first = heads[bucket];
      if (first != null) {
        remove(first);
        first.setState(TimerNode.CANCELLED);
      }
      return first;
    } finally {
      lock.release();
    }
  }

  private void fire(TimerNode timer) {
    try {
      timer.fire();
    } catch (Throwable failure) {
      faults.accept("firing a timer", failure);
    } finally {
      timer.setState(TimerNode.FIRED);
    }
  }
}
