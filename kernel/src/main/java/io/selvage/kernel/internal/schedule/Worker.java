package io.selvage.kernel.internal.schedule;

import io.selvage.kernel.internal.process.DirectProcess;
import io.selvage.kernel.internal.process.EventProcess;
import io.selvage.kernel.internal.process.Runner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread that runs turns; see {@link Workers} for how they work together.
 *
 * <p>Fields are of its own thread only, where nothing else is said.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time, as each field says
public final class Worker extends Thread {
  /** So many turns in a row may come from the slot before the queue gets one. */
  private static final int SLOT_TURNS = 64;

  /** So many turns may pass before the inlet is looked at, whatever waits in the queue. */
  private static final int INLET_TURNS = 61;

  /** The most tasks that may wait in the queue before another worker is woken for them. */
  private static final int WAKE_AT = 8;

  private static final VarHandle SLOT;
  private static final VarHandle HANDLED;
  private static final VarHandle IN_TURN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SLOT = lookup.findVarHandle(Worker.class, "slot", RunTask.class);
      IN_TURN = lookup.findVarHandle(Worker.class, "inTurn", boolean.class);
      HANDLED = lookup.findVarHandle(Worker.class, "handled", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What user code on this thread runs as. */
  public final Runner runner = new Runner();

  final Workers workers;
  final int index;
  final RunQueue queue = new RunQueue();

  /**
   * The task that was made runnable last, to be run next: it and its message are in the cache. The
   * owner writes it. The watch may take it while a handler of this worker is stuck, so whatever
   * else empties or replaces it in the middle of a handler does so by compare-and-set.
   */
  private volatile @Nullable RunTask slot;

  /**
   * How many handlers have ended on this thread. Read by the watch, which takes an unchanged number
   * for one long handler.
   */
  private long handled;

  /** Whether a turn is running. Read by the watch. */
  private boolean inTurn;

  /**
   * Whether this worker's handler blocks or computes for long, so that another worker may be lent
   * in its place and may take its queue. Changed under the workers' lock, read by thieves.
   */
  volatile boolean stuck;

  /** The direct process that it carries now, or null. Read by the watch. */
  public @Nullable DirectProcess<?> body;

  /** Whether it is stuck in a body of a direct process. Under the workers' lock. */
  boolean held;

  /** Whether this worker is counted among those that look for work. Own thread. */
  boolean searches;

  /** What the watch saw last: the number of handlers, and since when. Watch only. */
  long seenHandled = -1;

  long seenSince;

  /** The number of handlers when the watch last reported one. Watch only. */
  long reportedHandled = -1;

  /** Set by the watch when it has noticed a long handler: {@link #afterHandler} then settles it. */
  volatile boolean watched;

  /** Whether the handler waits in a call. Read by the watch. */
  volatile boolean calling;

  /**
   * Whether a wake-up is meant for this worker. Set by the waker, cleared by this worker before it
   * looks for work.
   */
  private volatile boolean woken;

  private int slotTurns;
  private int turns;
  private int victim;

  Worker(Workers workers, int index) {
    super(null, null, "selvage-" + workers.setting.nodeName() + "-worker-" + index, 0, false);
    this.workers = workers;
    this.index = index;
    this.victim = index;
    runner.worker = this;
    setDaemon(true);
  }

  // ---------------------------------------------------------------- the loop

  @Override
  public void run() {
    // It is counted among those that look for work, so it must begin by looking.
    RunTask task = search();
    while (task != null) {
      IN_TURN.setOpaque(this, true);
      try {
        task.run(this);
      } catch (Throwable failure) {
        workers.fault(failure);
      }
      IN_TURN.setOpaque(this, false);
      afterHandler();
      task = next();
      if (task == null) {
        task = search();
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // memory is short: others may free some
  private @Nullable RunTask search() {
    while (true) {
      try {
        return workers.search(this);
      } catch (OutOfMemoryError e) {
        Thread.yield();
      }
    }
  }

  private @Nullable RunTask next() {
    if (++turns >= INLET_TURNS) {
      turns = 0;
      if (workers.isSurplus(this)) {
        emptyInto(workers.inlet);
        return null;
      }
      RunTask task = workers.inlet.poll(queue, Integer.MAX_VALUE); // just one
      if (task != null) {
        return task;
      }
    }
    RunTask task = slot;
    if (task != null) {
      if (slotTurns++ < SLOT_TURNS) {
        return takeSlot(task);
      }
      slotTurns = 0;
      RunTask waiting = queue.poll();
      return waiting != null ? waiting : takeSlot(task);
    }
    slotTurns = 0;
    task = queue.poll();
    return task != null ? task : workers.inlet.poll(queue, workers.sharers());
  }

  /**
   * Empties the slot between two handlers. A plain write is enough, although a thief exists: it
   * acts only on a worker whose handler it has found stuck, and every way from a handler to here
   * leads through {@link #afterHandler}, which waits for the thief; see {@link Watch}. A
   * compare-and-set here would cost a quarter of what a message costs.
   */
  private RunTask takeSlot(RunTask task) {
    SLOT.setOpaque(this, null);
    return task;
  }

  // ---------------------------------------------------------------- work in

  /**
   * Takes a task that was made runnable by what runs here. Own thread, or a virtual thread that it
   * carries.
   */
  void push(RunTask task) {
    RunTask old = slot;
    if (old != null && SLOT.compareAndSet(this, old, task)) {
      later(old);
    } else {
      SLOT.setRelease(
          this,
          task); // pairs with the compare-and-set of a thief; it was empty, or a thief has just
      // emptied it
    }
  }

  /** Takes a task to be run after the others. Own thread, or a virtual thread that it carries. */
  public void later(RunTask task) {
    if (!queue.offer(task)) {
      workers.inlet.add(task);
    }
    if (queue.size() >= WAKE_AT) {
      workers.wakeOne();
    }
  }

  // ---------------------------------------------------------------- work out

  boolean hasQueued() {
    return slot != null || queue.size() > 0;
  }

  int nextVictim() {
    return victim++;
  }

  /**
   * Moves all that is queued here to the inlet; what is in the slot to its front, since it may be
   * what the handler waits for. Own thread.
   */
  void emptyInto(Inlet inlet) {
    moveInto(inlet, stealSlot());
  }

  /**
   * Takes what is in the slot, in the middle of a handler. Own thread, or the watch under the
   * workers' lock while this worker is {@link #watched}.
   */
  @Nullable RunTask stealSlot() {
    RunTask task = slot;
    return task != null && SLOT.compareAndSet(this, task, null) ? task : null;
  }

  /**
   * Moves the queue to the inlet, and what was in the slot to its front. Any thread.
   *
   * @param fromSlot what was in the slot, or null
   */
  void moveInto(Inlet inlet, @Nullable RunTask fromSlot) {
    for (RunTask task = queue.poll(); task != null; task = queue.poll()) {
      inlet.giveBack(task);
    }
    if (fromSlot != null) {
      inlet.addFirst(fromSlot);
    }
  }

  // ---------------------------------------------------------------- rest

  /** Lets go of tasks that have been taken. Own thread; the queue must be empty. */
  void forgetTaken() {
    queue.forgetTaken();
  }

  /**
   * Takes back the interrupt of a process that is not ended after all, whether the watch has
   * interrupted this thread already or not. Own thread.
   *
   * @param process the process, which runs here
   */
  public void reprieve(EventProcess<?> process) {
    workers.lock().acquire();
    try {
      process.reprieve();
      Thread.interrupted();
    } finally {
      workers.lock().release();
    }
  }

  /**
   * Parks until {@link #wake}, after a moment in which it may come. Own thread. Never timed, so
   * that no wake-up can be lost between the two kinds of park.
   */
  void rest() {
    long start = Spin.start();
    while (!woken && Spin.goesOn(start)) {
      // it may come just now
    }
    while (!woken) {
      LockSupport.park(this);
      Thread.interrupted();
    }
  }

  void clearWoken() {
    woken = false;
  }

  void wake() {
    woken = true;
    LockSupport.unpark(this);
  }

  /** Wakes again a worker whose waker failed between the two steps of {@link #wake}. */
  void wakeAgain() {
    if (woken && getState() == State.WAITING) {
      LockSupport.unpark(this);
    }
  }

  // ---------------------------------------------------------------- seen by the watch

  /** Called after each handler: counts it, and keeps what it left on the thread from the next. */
  public void afterHandler() {
    HANDLED.setOpaque(this, handled + 1);
    if (watched) {
      workers.watch.handlerEnded(this);
    }
    Thread.interrupted();
    ThreadLocals.erase(this);
  }

  long handled() {
    return (long) HANDLED.getOpaque(this);
  }

  boolean inTurn() {
    return (boolean) IN_TURN.getOpaque(this);
  }

  @Nullable EventProcess<?> running() {
    return runner.process instanceof EventProcess<?> process ? process : null;
  }
}
