package io.selvage.lab;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stops a {@link Runner} from another thread: the program that runs is killed, none is started
 * after it, and the runner returns what it has. A stop is for good. All methods may be called by
 * any thread.
 */
public final class Stop {
  /** What a shell makes of the signal that Ctrl-C sends: 128 and the number of SIGINT. */
  private static final int ENDED_BY_CTRL_C = 130;

  private static final long OWN_SIGNAL_MILLIS = 1000;

  private final CountDownLatch requested = new CountDownLatch(1);

  /** What runs now; guarded by this. */
  private @Nullable Process running;

  /** Not stopped yet. */
  public Stop() {}

  /** Kills what runs, with all that it started, and lets nothing start any more. */
  public synchronized void request() {
    requested.countDown();
    if (running != null) {
      kill(running);
    }
  }

  /**
   * Whether {@link #request} was called.
   *
   * @return true from then on
   */
  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /**
   * Whether a program ended because of a stop. A terminal sends Ctrl-C to all that run in it, so
   * the program may be seen to have ended before the signal has reached this JVM.
   */
  boolean ended(int exitCode) throws IOException {
    try {
      return exitCode == ENDED_BY_CTRL_C
          ? requested.await(OWN_SIGNAL_MILLIS, TimeUnit.MILLISECONDS)
          : isRequested();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a program ended", e);
    }
  }

  /** Starts a program that {@link #request} kills; empty if nothing may start any more. */
  synchronized @Nullable Process start(ProcessBuilder builder) throws IOException {
    if (isRequested()) {
      return null;
    }
    running = builder.start();
    return running;
  }

  /** Kills a program and whatever it started, if any of that still lives. */
  static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** The program that {@link #start} returned last is gone. */
  synchronized void forget() {
    running = null;
  }
}
