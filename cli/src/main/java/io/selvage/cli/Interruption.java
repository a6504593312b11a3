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

  private final Stop stop = new Stop();

  private Interruption() {
    hook = new Thread(this::finishInOrder, "selvage-interruption");
  }

  /** From now on, and until it is closed, an interruption requests a stop. */
  static Interruption expected() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** What is stopped. */
  Stop stop() {
    return stop;
  }

  private void finishInOrder() {
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
