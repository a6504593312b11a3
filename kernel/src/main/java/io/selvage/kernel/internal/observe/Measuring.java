package io.selvage.kernel.internal.observe;

import io.selvage.kernel.internal.process.LocalProcess;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * What of a node is recorded. While nothing is, a spawn and an end read one word here, and a
 * process that takes or sends a message reads a bit of its state word, which it reads anyway; a
 * thread that is no process reads the word here for each message it sends.
 *
 * <p>A new process reads {@link #measures} after it was entered in the table; switching on writes
 * it, then walks the table. So no process is missed.
 */
public final class Measuring {
  /** Recorded: spawns, ends and restarts. */
  public static final int PROCESSES = 1;

  /** Recorded: the time that messages wait, and that handlers take. */
  public static final int MESSAGES = 2;

  private final Consumer<Consumer<LocalProcess<?>>> walk;

  /**
   * Held by those who switch. Not a spin lock, since they walk the table: they are threads that
   * start or stop a recording, in no kernel operation.
   */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile Recorder recorder = Recorder.NONE;

  /** The bits above. Written under the lock, read without. */
  private volatile int recorded;

  /**
   * Nothing is recorded yet.
   *
   * @param walk shows all processes
   */
  public Measuring(Consumer<Consumer<LocalProcess<?>>> walk) {
    this.walk = walk;
  }

  /** Whether messages or handlers are measured. */
  public boolean measures() {
    return (recorded & MESSAGES) != 0;
  }

  /** Whether spawns, ends and restarts are recorded. */
  public boolean recordsProcesses() {
    return (recorded & PROCESSES) != 0;
  }

  /** What records. */
  public Recorder recorder() {
    return recorder;
  }

  /** Sets what records; before processes are started. */
  public void recorder(Recorder newRecorder) {
    recorder = newRecorder;
  }

  /**
   * Begins or ends recording.
   *
   * @param wanted answers the bits of what is to be recorded; asked under the lock, so that of two
   *     who switch at once the second answer is the newer
   */
  public void turn(IntSupplier wanted) {
    lock.lock();
    try {
      int before = recorded;
      int now = wanted.getAsInt();
      recorded = now;
      if (((before ^ now) & MESSAGES) != 0) {
        boolean measured = (now & MESSAGES) != 0;
        walk.accept(process -> process.markMeasured(measured));
      }
    } finally {
      lock.unlock();
    }
  }

  /** The node has closed. */
  public void close() {
    recorder.close();
  }
}
