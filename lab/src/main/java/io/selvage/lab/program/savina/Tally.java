package io.selvage.lab.program.savina;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes what each process of a run has counted, and tells the sum when all have ended. For
 * processes that have nobody to answer to.
 */
final class Tally {
  private final LongAdder sum = new LongAdder();
  private final CountDownLatch running;

  Tally(int processes) {
    running = new CountDownLatch(processes);
  }

  /** Called by each process once, when it ends. */
  void end(long count) {
    sum.add(count);
    running.countDown();
  }

  /** Waits until all have ended. */
  long await() throws InterruptedException {
    running.await();
    return sum.sum();
  }
}
