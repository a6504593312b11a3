package io.selvage.cli;

import io.selvage.lab.Stop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command finish in order when somebody presses Ctrl-C, or ends it in another polite way:
 * what it measures is stopped, and the JVM waits until the command has shown what there is and has
 * closed this. The JVM then ends with the code of the signal, 130 for Ctrl-C.
 */
final class Interruption implements AutoCloseable {
  /** Far more than it takes to write a table, and not for ever if nobody reads it. */
  private static final long MOST_SECONDS = 10;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  private Interruption(Stop stop) {
    hook = new Thread(() -> finishInOrder(stop), "selvage-interruption");
  }

  /** From now on an interruption stops this. */
  static Interruption of(Stop stop) {
    Interruption interruption = new Interruption(stop);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void finishInOrder(Stop stop) {
    stop.request();
    try {
      boolean inTime = finished.await(MOST_SECONDS, TimeUnit.SECONDS);
      if (!inTime) {
        System.err.println("selvage: the results could not be shown in time.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending, by this hook or another.
    }
  }
}
