package io.selvage.kernel.support;

import io.selvage.kernel.spi.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until it is moved. Begins just before the nanoseconds wrap around, as a
 * clock may.
 */
public final class ManualClock implements Clock {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(5).toNanos());

  /** Threads that have parked here; there is one, but a node may replace it. */
  private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

  @Override
  public long nanoTime() {
    return now.get();
  }

  @Override
  public void parkUntil(long deadline) {
    // Known before the look at the time: an advance after the look finds the thread and leaves it a
    // permit.
    parked.add(Thread.currentThread());
    if (deadline - now.get() > 0) {
      LockSupport.park(this);
    }
  }

  @Override
  public void wake(Thread thread) {
    LockSupport.unpark(thread);
  }

  /** Moves the time on and wakes who waits for it. */
  public void advance(Duration by) {
    now.addAndGet(by.toNanos());
    parked.forEach(LockSupport::unpark);
  }
}
