package io.selvage.lab.program;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Bare virtual threads that are parked, without a mailbox: nothing could be sent to them. No
 * process on a virtual thread can cost less than this.
 */
public final class ParkSpawn implements SpawnMeasurement.Crowd {
  private final @Nullable Thread[] threads;
  private final LongAdder waiting = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private volatile boolean stopped;

  private ParkSpawn(int processes) {
    this.threads = new Thread[processes];
  }

  private void waitForStop() {
    waiting.increment();
    while (!stopped) {
      LockSupport.park(this);
    }
    ended.increment();
  }

  @Override
  public void create() {
    stopped = false;
    for (int i = 0; i < threads.length; i++) {
      threads[i] = Thread.startVirtualThread(this::waitForStop);
    }
    Waiting.until(() -> waiting.sum() == threads.length);
    waiting.reset();
  }

  @Override
  public long end() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
    for (int i = 0; i < threads.length; i++) {
      Thread thread = threads[i];
      if (thread != null) {
        thread.join();
        threads[i] = null;
      }
    }
    return ended.sumThenReset();
  }

  /**
   * Runs the program.
   *
   * @param args {@code processes=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments ->
            SpawnMeasurement.measure(arguments, () -> new ParkSpawn(arguments.count("processes"))));
  }
}
