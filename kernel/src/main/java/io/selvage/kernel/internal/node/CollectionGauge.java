package io.selvage.kernel.internal.node;

import io.selvage.kernel.spi.HeapGauge;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of collections with nothing but {@code java.base}: by objects that nobody holds.
 *
 * <pre>
 *   young:   an object that is dropped as soon as it is made.              It is gone: there was a collection. The next one is made
 *   old:     an object that is dropped once it has seen 16 collections,
 *            so that it is where long-lived objects are.                   It is gone: there was a collection of those. The next
 *                                                                          one, which has been held since the last time, is dropped
 * </pre>
 *
 * <p>The queue of their references wakes a thread, which reads how much is in use: soon after the
 * collection, before much else is allocated. While there is no collection nothing runs. Where all
 * processors are busy the thread may have to wait for milliseconds, in which 50 MB can be written:
 * so who wants to know sooner asks whether the object is gone.
 *
 * <p>Why the second: the serial and the parallel collector let garbage among the old objects grow
 * until the heap is full, and collect it then; until then what is in use after a collection says
 * little. With G1 old garbage is seen to earlier; there the second goes when its marking is over,
 * somewhat before the garbage does. Until the first 16 collections are over, each counts as one of
 * old objects: a heap that fills up that early is in trouble.
 *
 * <p>Rejected: {@code java.lang.management}, which tells all this exactly, and more: it is in
 * another module than {@code java.base}. A soft reference, which goes when memory is short: it goes
 * when the JVM finds it old enough, or so late that the next allocation fails. Looking from time to
 * time: between two collections what is in use says nothing.
 */
public final class CollectionGauge implements HeapGauge {
  /** The one instance: there is one heap. */
  public static final CollectionGauge INSTANCE = new CollectionGauge();

  /** An object that has survived so many collections is among the old ones (at most 15 needed). */
  private static final int TENURED = 16;

  private final ReentrantLock lock = new ReentrantLock();

  /** Immutable. Written under the lock. */
  private volatile List<Consumer<? super Reading>> listeners = List.of();

  /** Runs while there are listeners. Under the lock. */
  private @Nullable Thread thread;

  /** What it runs. Written under the lock. */
  private volatile @Nullable Watch watch;

  private CollectionGauge() {}

  @Override
  public void watch(Consumer<? super Reading> listener) {
    lock.lock();
    try {
      List<Consumer<? super Reading>> more = new ArrayList<>(listeners);
      more.add(listener);
      if (thread == null) {
        Watch next = new Watch();
        Thread started = new Thread(null, next, "selvage-heap", 0, false);
        started.setDaemon(true);
        started.start();
        thread = started;
        watch = next;
      }
      listeners = List.copyOf(more);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void unwatch(Consumer<? super Reading> listener) {
    lock.lock();
    try {
      listeners = listeners.stream().filter(other -> other != listener).toList();
      if (listeners.isEmpty() && thread != null) {
        thread.interrupt();
        thread = null;
        watch = null;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Reading untold() {
    Watch present = watch;
    return present != null && present.isBehind() ? read(false) : null;
  }

  private void tell(boolean old) {
    Reading reading = read(old);
    for (Consumer<? super Reading> listener : listeners) {
      listener.accept(reading);
    }
  }

  private static Reading read(boolean old) {
    Runtime runtime = Runtime.getRuntime();
    long free = runtime.freeMemory(); // first: the heap may grow between the two
    long used = Math.max(0, runtime.totalMemory() - free);
    return new Reading(used, runtime.maxMemory(), old);
  }

  /** What one thread holds; only it writes any of it. */
  private final class Watch implements Runnable {
    private final ReferenceQueue<Object> queue = new ReferenceQueue<>();

    /** Held, so that it is queued once its object is gone. */
    private volatile @Nullable Reference<?> young;

    private @Nullable Reference<?> old;

    /** The object that comes next in the place of the old one. */
    private Object next = new Object();

    private int survived;

    @Override
    public void run() {
      young = new PhantomReference<>(new Object(), queue);
      while (true) {
        try {
          Reference<?> first = queue.remove();
          boolean oldIsGone = false;
          for (Reference<?> gone = first; gone != null; gone = queue.poll()) {
            oldIsGone |= gone == old;
          }
          // Without an old one nobody knows better.
          boolean known = old != null;
          if (oldIsGone || (old == null && ++survived >= TENURED)) {
            Object following =
                new Object(); // first: if it fails, the next one is not held for ever
            old = new PhantomReference<>(next, queue);
            next = following;
          }
          young = new PhantomReference<>(new Object(), queue);
          tell(!known || oldIsGone);
        } catch (InterruptedException e) {
          return; // nobody listens any more
        } catch (OutOfMemoryError e) {
          if (young == null || isBehind()) {
            rearm();
          }
        }
      }
    }

    /** Whether there was a collection of which nobody has been told. Any thread. */
    boolean isBehind() {
      Reference<?> present = young;
      return present != null && present.refersTo(null);
    }

    /**
     * Makes the next one, again and again if memory is lacking: else nobody would be told again.
     */
    @SuppressWarnings("ThreadPriorityCheck") // others may free some
    private void rearm() {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          young = new PhantomReference<>(new Object(), queue);
          return;
        } catch (OutOfMemoryError e) {
          Thread.yield();
        }
      }
    }
  }
}
