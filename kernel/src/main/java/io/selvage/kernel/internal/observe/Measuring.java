package io.selvage.kernel.internal.observe;

import io.selvage.kernel.internal.process.LocalProcess;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Whether messages and handlers of a node are measured. While they are, each process has a bit set
 * in its state word, so that one that is not measured pays nothing: it reads that word anyway.
 *
 * <p>A new process reads {@link #isOn} after it was entered in the table; switching on writes it,
 * then walks the table. So no process is missed.
 */
public final class Measuring {
  private final Consumer<Consumer<LocalProcess<?>>> walk;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Recorder recorder = Recorder.NONE;
  private volatile boolean on;

  /**
   * Nothing is measured yet.
   *
   * @param walk shows all processes
   */
  public Measuring(Consumer<Consumer<LocalProcess<?>>> walk) {
    this.walk = walk;
  }

  /** Whether messages or handlers are measured. */
  public boolean isOn() {
    return on;
  }

  /** What records. */
  public Recorder recorder() {
    return recorder;
  }

  /** Sets what records; before processes are started. */
  public void recorder(Recorder newRecorder) {
    recorder = newRecorder;
  }

  /** Begins or ends measuring messages and handlers of all processes. */
  public void turn(boolean newOn) {
    lock.lock();
    try {
      if (on != newOn) {
        on = newOn;
        walk.accept(process -> process.markMeasured(newOn));
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
