package io.selvage.kernel.internal.schedule;

import io.selvage.kernel.spi.SpinLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue that all workers share: what threads that are no workers schedule, and what overflows
 * from the workers' own queues. First in, first out; unbounded, since the tasks themselves are its
 * nodes; any thread may use it.
 *
 * <h2>Bodies that have never run</h2>
 *
 * <p>A direct process whose body computes without end keeps its worker for ever. Another worker is
 * lent for what waits; if that takes the next of a thousand such bodies, it is gone as well, and an
 * event process that was made runnable after them waits until a thousand threads have been lent,
 * which then share the processors. So bodies that have never run wait in a queue of their own, and:
 *
 * <pre>
 *   what has run before, and event processes:     first, in order
 *   new bodies, while few workers are held:       then, in order
 *   new bodies, once {@link Workers#MOST_HELD} workers a core are held by bodies:   one in a tenth of a second, the newest first
 *   new bodies, once {@link Workers#UTMOST_HELD} workers a core are held by bodies: none
 * </pre>
 *
 * <p>The newest first, since it is the one that most likely has nothing to do with those that hold
 * the workers. When a body gives its worker back, the rule is the ordinary one again.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time, as each field says
final class Inlet {
  private final SpinLock lock = new SpinLock();

  /** Tasks in order. Under the lock of the inlet; the head is read without it as a hint. */
  private static final class Queue {
    private volatile @Nullable RunTask head;
    private @Nullable RunTask tail;
    private int size;

    void add(RunTask task) {
      task.nextRun = null;
      if (tail == null) {
        head = task;
      } else {
        tail.nextRun = task;
      }
      tail = task;
      size++;
    }

    void addFirst(RunTask task) {
      task.nextRun = head;
      if (tail == null) {
        tail = task;
      }
      head = task;
      size++;
    }

    @Nullable RunTask take() {
      RunTask first = head;
      if (first != null) {
        RunTask second = first.nextRun;
        first.nextRun = null;
        head = second;
        if (second == null) {
          tail = null;
        }
        size--;
      }
      return first;
    }

    void reverse() {
      RunTask oldest = head;
      RunTask before = null;
      for (RunTask task = oldest; task != null; ) {
        RunTask after = task.nextRun;
        task.nextRun = before;
        before = task;
        task = after;
      }
      head = before;
      tail = oldest;
    }
  }

  private final Queue ready = new Queue();
  private final Queue newBodies = new Queue();

  /** Whether the new bodies stand with the newest first. Under the lock. */
  private boolean newestFirst;

  /** Whether too many workers are held by bodies. Written under the workers' lock. */
  private volatile boolean held;

  /** How many new bodies may be started although {@link #held}. Written under the lock. */
  private volatile int exceptions;

  void add(RunTask task) {
    add(task, false);
  }

  /** Adds a task that a worker had taken and did not come to: of new bodies, to the older ones. */
  void giveBack(RunTask task) {
    add(task, true);
  }

  private void add(RunTask task, boolean older) {
    boolean isNew = task.isNewBody();
    lock.acquire();
    try {
      if (!isNew) {
        ready.add(task);
      } else if (newestFirst != older) {
        newBodies.addFirst(task);
      } else {
        newBodies.add(task);
      }
    } finally {
      lock.release();
    }
  }

  /** Adds a task before all others of its kind. */
  void addFirst(RunTask task) {
    boolean isNew = task.isNewBody();
    lock.acquire();
    try {
      (isNew ? newBodies : ready).addFirst(task);
    } finally {
      lock.release();
    }
  }

  /** Too many workers are held by bodies, or not any more. */
  void hold(boolean nowHeld) {
    held = nowHeld;
  }

  /** Lets one new body be started although too many workers are held, if there is one. */
  void makeException() {
    lock.acquire();
    try {
      if (held && exceptions == 0 && newBodies.head != null) {
        exceptions = 1;
      }
    } finally {
      lock.release();
    }
  }

  /** Whether there is nothing that may be taken. */
  boolean isEmpty() {
    return ready.head == null && (newBodies.head == null || (held && exceptions == 0));
  }

  /**
   * Takes the oldest task, and moves a fair share of the others to a worker's own queue, which must
   * be empty.
   *
   * @param into the queue
   * @param sharers among how many workers to share
   * @return the oldest task, or null
   */
  @Nullable RunTask poll(RunQueue into, int sharers) {
    if (isEmpty()) {
      return null;
    }
    lock.acquire();
    try {
      RunTask first = ready.take();
      if (first != null) {
        share(ready, into, sharers);
      } else if (!held) {
        newestFirst = false;
        first = newBodies.take();
        share(newBodies, into, sharers);
      } else if (exceptions > 0) {
        exceptions--;
        if (!newestFirst) {
          newBodies.reverse();
          newestFirst = true;
        }
        first = newBodies.take();
      }
      return first;
    } finally {
      lock.release();
    }
  }

  private static void share(Queue from, RunQueue into, int sharers) {
    int share = Math.min(from.size / sharers, into.room());
    for (int i = 0; i < share; i++) {
      RunTask task = from.take();
      if (task == null) {
        break;
      }
      into.offer(task);
    }
  }
}
