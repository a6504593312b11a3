package io.selvage.kernel.internal.time;

import io.selvage.kernel.spi.Clock;
import java.util.concurrent.locks.LockSupport;

/** The clock of the machine. */
public final class SystemClock implements Clock {
  /** The one instance; it has no state. */
  public static final SystemClock INSTANCE = new SystemClock();

  private SystemClock() {}

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void parkUntil(long deadline) {
    LockSupport.parkNanos(this, deadline - System.nanoTime());
  }

  @Override
  public void wake(Thread thread) {
    LockSupport.unpark(thread);
  }
}
