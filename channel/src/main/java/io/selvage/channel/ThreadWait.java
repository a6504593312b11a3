package io.selvage.channel;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.spi.Waiter;
import io.selvage.kernel.spi.Waiter.End;

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
    return await(() -> waiter.await(this::isDecided, nanos) ? End.CONDITION : End.TIME)
        == End.CONDITION;
  }

  /**
   * Waits like {@link #await}, for somebody to take an item.
   *
   * @param nanos how long, or {@link Waiter#FOR_EVER}
   * @return whether it was served; if not, here or by an exception, it has given up
   */
  boolean awaitRoom(long nanos) throws InterruptedException {
    return await(() -> waiter.awaitRoom(this::isDecided, nanos) ? End.CONDITION : End.TIME)
        == End.CONDITION;
  }

  /**
   * Waits like {@link #await}, or until the process has a message.
   *
   * @param self the process
   * @param nanos how long, or {@link Waiter#FOR_EVER}
   * @return {@link End#CONDITION} if it was served; if not, it has given up
   */
  End awaitOrMessage(DirectSelf<?> self, long nanos) throws InterruptedException {
    return await(() -> waiter.awaitOrMessage(self, this::isDecided, nanos));
  }

  /** A wait of the kernel. */
  interface Waiting {
    End run() throws InterruptedException;
  }

  /** A wait of the kernel, and then the decision: served or given up. */
  End await(Waiting waiting) throws InterruptedException {
    End end;
    try {
      end = waiting.run();
    } catch (InterruptedException e) {
      if (giveUp()) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return End.CONDITION;
    } catch (Throwable e) {
      if (giveUp()) {
        throw e;
      }
      return End.CONDITION;
    }
    return end == End.CONDITION || giveUp() ? end : End.CONDITION;
  }
}
