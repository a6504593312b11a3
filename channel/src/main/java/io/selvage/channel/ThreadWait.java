package io.selvage.channel;

import io.selvage.kernel.spi.Waiter;

/** A thread that waits, that of a process or any other. */
final class ThreadWait extends Wait {
  private final Waiter waiter = Waiter.current();

  @Override
  void wake() {
    waiter.wake();
  }

  /**
   * Waits. Who was served is told so, whatever else has happened meanwhile: an interrupt is kept
   * for later, and so is the end of the process, which its next kernel call finds.
   *
   * @param nanos how long, or {@link Waiter#FOR_EVER}
   * @return whether it was served; if not, here or by an exception, it has given up
   */
  boolean await(long nanos) throws InterruptedException {
    try {
      if (waiter.await(() -> !isOpen(), nanos)) {
        return true;
      }
    } catch (InterruptedException e) {
      if (giveUp()) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return true;
    } catch (Throwable e) {
      if (giveUp()) {
        throw e;
      }
      return true;
    }
    return !giveUp();
  }
}
