package io.selvage.kernel.internal.observe;

import io.selvage.kernel.internal.process.Inspection;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.KernelEvent;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Looks at the length of every mailbox ten times a second, for one subscriber.
 *
 * <p>Rejected: comparing in each send, which knows the length anyway. It would be one more branch
 * for every message of every node, for the sake of an alarm that may come a tenth of a second
 * later.
 */
final class QueueWatch {
  private static final long PERIOD = 100_000_000L;

  private final Consumer<Consumer<LocalProcess<?>>> walk;
  private final int mark;
  private final Consumer<KernelEvent> sink;
  private final Thread thread;

  /** Those told that have not been below half of the mark since. Own thread. */
  private final Set<LocalProcess<?>> told = new HashSet<>();

  private volatile boolean closed;

  QueueWatch(
      String threadName,
      Consumer<Consumer<LocalProcess<?>>> walk,
      int mark,
      Consumer<KernelEvent> sink) {
    this.walk = walk;
    this.mark = mark;
    this.sink = sink;
    this.thread = new Thread(null, this::run, threadName, 0, false);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      try {
        told.removeIf(process -> process.observedLength() <= mark / 2); // ended ones have no length
        walk.accept(this::look);
      } catch (OutOfMemoryError e) {
        // The next look may have memory.
      }
      LockSupport.parkNanos(this, PERIOD);
    }
  }

  private void look(LocalProcess<?> process) {
    int length = process.observedLength();
    if (length > mark && told.add(process)) {
      sink.accept(new KernelEvent.LongQueue(process, length, Inspection.census(process)));
    }
  }
}
