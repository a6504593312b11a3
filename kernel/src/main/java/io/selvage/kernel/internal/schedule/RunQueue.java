package io.selvage.kernel.internal.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one worker: a ring of fixed size, first in first out. Its owner adds; its owner and
 * thieves take, by compare-and-set of the head. Fixed, so that nothing is allocated where a failure
 * could lose a task: what does not fit goes to the {@link Inlet}.
 *
 * <p>Orderings: the owner writes the element, then the tail (release); a thief reads the tail
 * (acquire), then the element, then moves the head (compare-and-set); the owner reads the head
 * (acquire) before it writes over an element. An element read by a thief may be overwritten
 * meanwhile, but then the head has moved and its compare-and-set fails.
 *
 * <p>Source: the local run queue of Go's scheduler ({@code runtime/proc.go}); unlike there, a thief
 * takes one task at a time.
 */
final class RunQueue {
  static final int CAPACITY = 256;
  private static final int MASK = CAPACITY - 1;
  private static final VarHandle HEAD;
  private static final VarHandle TAIL;
  private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(RunTask[].class);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(RunQueue.class, "head", int.class);
      TAIL = lookup.findVarHandle(RunQueue.class, "tail", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable RunTask[] tasks = new RunTask[CAPACITY];

  /**
   * The next to be taken. Owner and thieves, by compare-and-set. Only differences matter; it wraps
   * around.
   */
  private int head;

  /** The next free place. Owner only writes. */
  private int tail;

  /** Owner only. Answers false if there is no room. */
  boolean offer(RunTask task) {
    int t = tail;
    if (t - (int) HEAD.getAcquire(this) >= CAPACITY) {
      return false;
    }
    ELEMENTS.setOpaque(tasks, t & MASK, task);
    TAIL.setRelease(this, t + 1);
    return true;
  }

  /** How many more fit. Owner only. */
  int room() {
    return CAPACITY - (tail - (int) HEAD.getAcquire(this));
  }

  /** How many are in it; a guess for all but the owner. */
  int size() {
    return (int) TAIL.getAcquire(this) - (int) HEAD.getAcquire(this);
  }

  /** Takes the oldest task, or null. Any thread. */
  @Nullable RunTask poll() {
    while (true) {
      int h = (int) HEAD.getAcquire(this);
      int t = (int) TAIL.getAcquire(this);
      if (t - h <= 0) {
        return null;
      }
      RunTask task = (RunTask) ELEMENTS.getOpaque(tasks, h & MASK);
      if (HEAD.compareAndSet(this, h, h + 1)) {
        // The element stays until it is written over: clearing it here could clear the owner's next
        // one.
        return task;
      }
    }
  }

  /**
   * Lets go of tasks that have been taken. Owner only; the queue must be empty, so that no thief
   * can succeed with what it has read.
   */
  void forgetTaken() {
    for (int i = 0; i < CAPACITY; i++) {
      ELEMENTS.setOpaque(tasks, i, null);
    }
  }
}
