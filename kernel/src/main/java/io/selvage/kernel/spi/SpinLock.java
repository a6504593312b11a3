package io.selvage.kernel.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a few instructions, for the kernel and for modules that are built on it. It allocates
 * nothing and parks nobody, so it can be used where memory is short, where virtual threads pass,
 * and by threads whose park permit belongs to somebody else. Not reentrant. Release it by {@code
 * lock.release()} in a {@code finally}; between the two there must be no call of user code and
 * nothing that can take long.
 *
 * <p>Nobody waits for a lock of this kind while holding another. What is written under it is seen
 * by whoever holds it next.
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

  /**
   * Takes the lock if it is free.
   *
   * @return whether it was
   */
  public boolean tryAcquire() {
    return HELD.compareAndSet(this, 0, 1);
  }

  /** Takes the lock, spinning until it is free. */
  public void acquire() {
    if (!tryAcquire()) {
      contend();
    }
  }

  /**
   * Spins. A platform thread yields its processor now and then, since the holder may have lost its
   * own; a virtual thread must not: to yield it copies its stack to the heap, and near the end of a
   * deep stack that fails with a {@link StackOverflowError}, in the middle of a kernel operation.
   */
  @SuppressWarnings("ThreadPriorityCheck")
  private void contend() {
    boolean yields = !Thread.currentThread().isVirtual();
    int spins = 0;
    while (held != 0 || !tryAcquire()) {
      if (++spins < SPINS || !yields) {
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
