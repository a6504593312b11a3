package io.selvage.kernel.internal.schedule;

import io.selvage.kernel.internal.time.SpinLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue that all workers share: what threads that are no workers schedule, and what overflows
 * from the workers' own queues. First in, first out; unbounded, since the tasks themselves are its
 * nodes; any thread may use it.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time, as each field says
final class Inlet {
  private final SpinLock lock = new SpinLock();

  /** Read without the lock as a hint. */
  private volatile @Nullable RunTask head;

  private @Nullable RunTask tail;
  private int size;

  void add(RunTask task) {
    lock.acquire();
    try {
      task.nextRun = null;
      if (tail == null) {
        head = task;
      } else {
        tail.nextRun = task;
      }
      tail = task;
      size++;
    } finally {
      lock.release();
    }
  }

  /** Adds a task before all others. */
  void addFirst(RunTask task) {
    lock.acquire();
    try {
      task.nextRun = head;
      if (tail == null) {
        tail = task;
      }
      head = task;
      size++;
    } finally {
      lock.release();
    }
  }

  boolean isEmpty() {
    return head == null;
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
    if (head == null) {
      return null;
    }
    lock.acquire();
    try {
      RunTask first = take();
      int share = Math.min(size / sharers, into.room());
      for (int i = 0; i < share; i++) {
        RunTask task = take();
        if (task == null) {
          break;
        }
        into.offer(task);
      }
      return first;
    } finally {
      lock.release();
    }
  }

  private @Nullable RunTask take() {
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
}
