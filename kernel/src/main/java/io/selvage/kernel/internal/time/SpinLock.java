package io.selvage.kernel.internal.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a few instructions. It allocates nothing and parks nobody, so it can be used where
 * memory is short, where virtual threads pass, and by threads whose park permit belongs to somebody
 * else. Not reentrant. Release it by {@code lock.release()} in a {@code finally}; between the two
 * there must be no call of user code and nothing that can take long.
 *
 * <p>No lock of this kind is ever taken while another is held.
 */
public final class SpinLock {
  private static final int SPINS = 64;
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // through HELD
  private volatile int held;

  /** A free lock. */
  public SpinLock() {}

  /** Takes the lock, spinning a little and then yielding the processor until it is free. */
  public void acquire() {
    if (!HELD.compareAndSet(this, 0, 1)) {
      contend();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the holder may have lost its processor to this thread
  private void contend() {
    int spins = 0;
    while (held != 0 || !HELD.compareAndSet(this, 0, 1)) {
      if (++spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  /** Gives the lock back. */
  public void release() {
    HELD.setRelease(this, 0);
  }
}
