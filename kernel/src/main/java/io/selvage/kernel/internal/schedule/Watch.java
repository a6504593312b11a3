package io.selvage.kernel.internal.schedule;

import io.selvage.kernel.internal.process.DirectProcess;
import io.selvage.kernel.internal.process.EventProcess;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.Doing;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that watches the workers: which of them are stuck in one handler, so that others stand
 * in, handlers of ended processes are interrupted, and long ones are reported. It looks every
 * {@link #TICK} while any worker is awake, and sleeps otherwise.
 *
 * <h2>Without cost for handlers</h2>
 *
 * <p>A worker counts its handlers (an opaque write) and, after each, reads its flag {@code
 * watched}. The watch must not act on a worker that has gone on to the next handler: an interrupt
 * would hit an innocent process, and a task taken from the slot might be running already. Plain
 * reads and writes on both sides are not enough: the worker's new count and its read of the flag
 * may pass the watch's flag and its read of the count. A fence after every handler would cost more
 * than the rest of it. So the watch pays:
 *
 * <pre>
 *   watch:   watched = true
 *            take the stack of the thread     // the JVM stops the thread for this: it is a fence on both sides
 *            if the count has changed: watched = false, done
 *            under the lock, if still watched: act (mark as stuck, empty the slot, interrupt)
 *   worker:  count++
 *            if watched: under the lock, watched = false; no longer stuck
 *            clear the interrupt status; take the next task, from the slot by a plain write
 * </pre>
 *
 * <p>If the count has not changed after the stack was taken, the worker had not passed its
 * increment when it was stopped, so its later read of the flag sees true, and it will take the lock
 * before it goes on: what the watch does under the lock hits this handler only.
 */
final class Watch extends Thread {
  /** How often it looks. */
  private static final long TICK = 2_000_000;

  /** After how long in one handler a worker counts as stuck. */
  private static final long STUCK = 5_000_000;

  /** The most time that one tick counts for. */
  private static final long LONGEST_TICK = 2 * TICK;

  /** How often a new body is started although too many workers are held. */
  private static final long BETWEEN_EXCEPTIONS = 100_000_000;

  private static final long ASLEEP = Duration.ofHours(1).toNanos();
  private static final int FRAMES = 32;

  private final Workers workers;

  /** How many long handlers there were, by kind. Own thread. */
  private final Map<Kind, Long> counts = new HashMap<>();

  private record Kind(String behavior, Doing doing) {}

  /** The time by which handlers are measured: that in which the watch itself was able to run. */
  private long now;

  private long lastTick = System.nanoTime();

  /** When a new body was last allowed to start as an exception, by the same time. */
  private long lastException;

  private volatile boolean asleep;
  private volatile boolean started;

  Watch(Workers workers) {
    super(null, null, "selvage-" + workers.setting.nodeName() + "-watch", 0, false);
    this.workers = workers;
    setDaemon(true);
  }

  /** Called whenever a worker was woken or started. */
  void ensureAwake() {
    if (asleep) {
      asleep = false;
      LockSupport.unpark(this);
    } else if (!started) {
      startOnce();
    }
  }

  private void startOnce() {
    boolean first = false;
    workers.lock().acquire();
    try {
      if (!started && !workers.isClosed()) {
        started = true;
        first = true;
      }
    } finally {
      workers.lock().release();
    }
    if (first) {
      try {
        start();
      } catch (OutOfMemoryError e) { // of threads; the next worker that is woken tries again
        started = false;
        workers.fault(e);
      }
    }
  }

  void close() {
    LockSupport.unpark(this);
  }

  @Override
  public void run() {
    while (!workers.isClosed()) {
      asleep = true;
      VarHandle.fullFence(); // a waker takes a worker from the idle, then reads asleep
      if (workers.allIdle()) {
        LockSupport.parkNanos(this, ASLEEP);
      }
      asleep = false;
      // Always timed, so that no wake-up can be lost between the two kinds of park.
      LockSupport.parkNanos(this, TICK);
      try {
        // A long tick means that the whole JVM stood still (a collection, a busy machine): not the
        // handlers' fault.
        long time = System.nanoTime();
        now += Math.min(time - lastTick, LONGEST_TICK);
        lastTick = time;
        for (Worker worker : workers.all()) {
          look(worker, now);
        }
        if (now - lastException >= BETWEEN_EXCEPTIONS) {
          lastException = now;
          workers.makeException();
        }
        if (!workers.inlet.isEmpty()) {
          workers.wakeOne();
        }
      } catch (Throwable failure) {
        workers.fault(failure);
      }
    }
  }

  private void look(Worker worker, long now) {
    worker.wakeAgain();
    long handled = worker.handled();
    if (!worker.inTurn() || handled != worker.seenHandled) {
      worker.seenHandled = handled;
      worker.seenSince = now;
      if (worker.hasQueued()) {
        workers.wakeOne(); // a short queue that its worker has not emptied in a tick
      }
      return;
    }
    long elapsed = now - worker.seenSince;
    if (elapsed < STUCK) {
      return;
    }
    boolean toReport =
        elapsed >= workers.setting.longHandlerNanos() && worker.reportedHandled != handled;
    if (!worker.stuck || !worker.watched || toReport || condemned(worker)) {
      act(worker, handled, elapsed, toReport);
    } else if (worker.hasQueued()) {
      handOver(worker); // it was about to push when it was marked
    }
  }

  private static boolean condemned(Worker worker) {
    EventProcess<?> process = worker.running();
    return process != null && process.isCondemned();
  }

  private void act(Worker worker, long handled, long elapsed, boolean toReport) {
    worker.watched = true;
    StackTraceElement[] stack = worker.getStackTrace();
    State state = worker.getState();
    if (worker.handled() != handled || !worker.inTurn()) {
      worker.watched = false;
      return;
    }
    EventProcess<?> process = null;
    @Nullable RunTask fromSlot = null;
    boolean calling = false;
    workers.lock().acquire();
    try {
      if (worker.watched && worker.handled() == handled) {
        workers.markStuck(worker);
        fromSlot = worker.stealSlot();
        process = worker.running();
        calling = worker.calling;
        if (process != null && process.isCondemned() && !calling) {
          worker.interrupt();
          process.reprieve(); // once: what it does to clean up may block
        }
      }
    } finally {
      workers.lock().release();
    }
    worker.moveInto(workers.inlet, fromSlot);
    workers.wakeForStuck();
    if (toReport && process != null) {
      worker.reportedHandled = handled;
      report(process, calling ? Doing.CALLING : doing(state), elapsed, stack);
    } else if (toReport) {
      worker.reportedHandled = handled;
      reportBody(worker.body, elapsed);
    }
  }

  /** Hands over what a worker, marked as stuck before, has queued since. */
  private void handOver(Worker worker) {
    @Nullable RunTask fromSlot = null;
    workers.lock().acquire();
    try {
      if (worker.watched) { // else its handler has ended
        fromSlot = worker.stealSlot();
      }
    } finally {
      workers.lock().release();
    }
    worker.moveInto(workers.inlet, fromSlot);
    workers.wakeForStuck();
  }

  /** Called by a worker that was watched, after its handler. */
  void handlerEnded(Worker worker) {
    workers.lock().acquire();
    try {
      worker.watched = false;
    } finally {
      workers.lock().release();
    }
    workers.endStuck(worker);
  }

  private static Doing doing(State state) {
    return switch (state) {
      case BLOCKED, WAITING, TIMED_WAITING -> Doing.BLOCKED;
      case NEW, RUNNABLE, TERMINATED -> Doing.COMPUTING;
    };
  }

  private void report(
      EventProcess<?> process, Doing doing, long elapsed, StackTraceElement[] stack) {
    String behavior = process.behaviorName();
    long count = counts.merge(new Kind(behavior, doing), 1L, Long::sum);
    if (Milestone.isReached(count)) {
      List<StackTraceElement> top = List.of(stack).subList(0, Math.min(stack.length, FRAMES));
      workers.emit(
          new KernelEvent.LongHandler(
              process, behavior, doing, Duration.ofNanos(elapsed), top, count));
    }
  }

  private void reportBody(@Nullable DirectProcess<?> process, long elapsed) {
    if (process != null) { // it may have just ended
      String body = process.node.origins().initialCall(process);
      long count = counts.merge(new Kind(body, Doing.COMPUTING), 1L, Long::sum);
      if (Milestone.isReached(count)) {
        StackTraceElement[] stack = process.stack();
        List<StackTraceElement> top = List.of(stack).subList(0, Math.min(stack.length, FRAMES));
        workers.emit(
            new KernelEvent.LongBody(process, body, Duration.ofNanos(elapsed), top, count));
      }
    }
  }
}
