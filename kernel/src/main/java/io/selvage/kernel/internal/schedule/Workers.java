package io.selvage.kernel.internal.schedule;

import io.selvage.kernel.internal.process.Runner;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.Scheduler;
import io.selvage.kernel.spi.SpinLock;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of event processes: some threads, each with a queue, that wake each other as seldom
 * as they can.
 *
 * <h2>The problem</h2>
 *
 * <p>When a process sends to another, the receiver becomes runnable. A pool that wakes a sleeping
 * thread for it pays about a microsecond for a message that takes 30 nanoseconds to handle, and
 * moves the message and the receiver to the cache of another core. In a ring or a dialogue that is
 * the whole cost. A pool that never wakes anybody leaves cores idle. So the question is only: when
 * is there work that the present worker will not reach soon?
 *
 * <h2>The answer</h2>
 *
 * <pre>
 *   made runnable by a turn on worker W:     into W's slot, to be run next; what was in the slot goes to W's queue
 *   made runnable by any other thread:       into the inlet; wake a worker, unless one is looking for work already
 *   a turn is used up:                       to the end of W's queue
 *   W's queue has grown to {@code WAKE_AT}:  wake a worker, unless one is looking
 *   W is in one handler for {@code STUCK}:   its slot and queue go to the inlet; wake or lend a worker for them (see {@link Watch})
 *   W is about to block in a kernel call:    the same, at once
 *   W has nothing left:                      look everywhere; if there is nothing, rest
 *   a looking worker finds something:        if it was the last that looked and there is more, it wakes the next
 * </pre>
 *
 * <p>So at most one wake-up is under way at a time, and a short queue on a worker that makes
 * progress wakes nobody. The slot of a worker that makes progress is never stolen.
 *
 * <h2>No wake-up is lost</h2>
 *
 * <p>A worker that goes to rest first enters the list of idle workers, then stops counting as
 * looking, then looks once more everywhere. A thread that adds to the inlet first adds, then (full
 * fence) reads whether somebody looks or is idle. If it sees one looking, that one's last look
 * comes after the addition. If it sees nobody looking, it takes an idle worker from the list, which
 * wakes it, or finds none, and then all workers are running and will pass by the inlet. Work in a
 * worker's own queue needs no wake-up: its owner is awake. If the owner does not come back, the
 * watch sees that.
 *
 * <h2>Lending</h2>
 *
 * <p>A worker whose handler blocks or computes for long is <em>stuck</em>. The number of workers
 * that are not stuck is kept up to the wanted number by starting more, up to {@link #most} in all,
 * and beyond only while all are stuck. Bodies of direct processes that hold workers count for less:
 * see {@link Inlet}. When a stuck one comes back there may be too many; then one of them, at a
 * moment when it has nothing in its hands, leaves (see {@link #isSurplus}).
 *
 * <p>Ideas rejected: a fork-join pool (it wakes for every first task: 1000 ns a message in the
 * ring); handing the whole queue over to the spare thread, as Go does (the handler that runs on
 * still sends, and its sends would need a lock); stealing half a queue at a time (more code, no
 * gain measured at these queue lengths); spinning for long before rest (an idle node would use
 * processor time; it does for a moment, see {@link Spin}).
 *
 * <p>Sources: Go's scheduler (slot, inlet, one looking worker at a time), tokio's multi-thread
 * runtime, Cilk.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time, as each field says
public final class Workers implements Scheduler {
  /** Makes the scheduler of a node. */
  public static final Factory FACTORY = Workers::new;

  /** So many threads may there be at least. */
  private static final int FEWEST_LENT = 512;

  /**
   * So many workers for each that is wanted may be held by bodies that compute or block in foreign
   * code before new bodies must wait; see {@link Inlet}. Each is a thread that competes for the
   * processors with those that run all other processes.
   */
  static final int MOST_HELD = 8;

  /** So many of them may be held before no new body is started at all. */
  static final int UTMOST_HELD = 32;

  /** The most threads, lent ones included. */
  private final int most;

  /** The most threads if all others are stuck: one more may run what ends the wait of them all. */
  private final int utmost;

  final Setting setting;
  final Inlet inlet = new Inlet();
  final Watch watch;
  private final int wanted;
  private final SpinLock lock = new SpinLock();

  /** All workers. Replaced under the lock, read without it. */
  private volatile Worker[] all = {};

  /** The idle workers, the last to rest first to be woken. Guarded by the lock. */
  private final Worker[] idle;

  /** How many are idle. Written under the lock, read without it. */
  private volatile int idleCount;

  /**
   * How many workers there are, those that are being started included. Written under the lock, read
   * without it.
   */
  private volatile int live;

  /** How many workers are stuck. Written under the lock, read without it. */
  private volatile int stuckCount;

  /** How many of the stuck workers are held by bodies. Written under the lock, read without it. */
  private volatile int heldCount;

  /**
   * How many workers are looking for work, those that are being woken included. Written under the
   * lock, read without it.
   */
  private volatile int searching;

  private int nextIndex;
  private boolean exhausted;
  private volatile boolean closed;

  /**
   * A scheduler without threads; they are started when there is work.
   *
   * @param setting what it should be like
   */
  public Workers(Setting setting) {
    this.setting = setting;
    this.wanted = setting.workers();
    this.most = Math.max(FEWEST_LENT, 2 * wanted);
    this.utmost = 4 * most;
    this.idle = new Worker[utmost];
    this.watch = new Watch(this);
  }

  // ---------------------------------------------------------------- work in

  @Override
  public void schedule(Turn turn) {
    schedule((RunTask) turn, Runner.current());
  }

  /**
   * Queues a task.
   *
   * @param task the task, which is in no queue
   * @param runner the runner of the calling thread, or null
   */
  public void schedule(RunTask task, @Nullable Runner runner) {
    if (runner != null) {
      Worker worker = runner.worker;
      if (worker != null && worker.workers == this && !worker.stuck) {
        worker.push(task);
        return;
      }
    }
    inlet.add(task);
    VarHandle.fullFence(); // pairs with the last look in search
    wakeOne();
  }

  @Override
  public void beforeBlock() {
    if (Thread.currentThread() instanceof Worker worker) {
      worker.calling = true;
      beginStuck(worker);
    }
  }

  @Override
  public void afterBlock() {
    if (Thread.currentThread() instanceof Worker worker) {
      worker.calling = false;
      endStuck(worker);
    }
  }

  // ---------------------------------------------------------------- waking and lending

  /**
   * Wakes or starts a worker, unless one is looking for work, or all that are wanted are at work.
   */
  void wakeOne() {
    if (searching == 0 && (idleCount > 0 || live - stuckCount < wanted)) {
      wakeOrStart();
    }
  }

  private void wakeOrStart() {
    Worker sleeper = null;
    boolean start = false;
    boolean full = false;
    lock.acquire();
    try {
      if (closed || searching > 0) {
        return;
      }
      if (live - idleCount - stuckCount >= wanted) {
        return;
      }
      if (idleCount > 0) {
        sleeper = idle[idleCount - 1];
        idleCount--;
        searching++;
      } else if (live < most || (live == stuckCount && live < utmost)) {
        start = true;
        live++;
        searching++;
      } else if (!exhausted) {
        exhausted = true;
        full = true;
      }
    } finally {
      lock.release();
    }
    if (sleeper != null) {
      sleeper.wake();
    } else if (start) {
      startWorker();
    } else if (full) {
      tellExhausted();
    }
    watch.ensureAwake();
  }

  /**
   * Starts a worker that is counted already. Never throws: whoever wakes has queued something
   * before.
   */
  private void startWorker() {
    Worker[] before = all;
    Worker[] more = before;
    boolean started = false;
    try {
      Worker worker = new Worker(this, nextIndex());
      worker.searches = true;
      lock.acquire();
      try {
        before = all;
        more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = worker;
        all = more;
      } finally {
        lock.release();
      }
      worker.start();
      started = true;
    } catch (OutOfMemoryError e) { // of threads, most likely
      fault(e);
    }
    if (!started) {
      lock.acquire();
      try {
        live--;
        searching--;
        if (all == more) { // else it stays there, not alive, and does no harm
          all = before;
        }
      } finally {
        lock.release();
      }
    }
  }

  private int nextIndex() {
    lock.acquire();
    try {
      return nextIndex++;
    } finally {
      lock.release();
    }
  }

  /** A worker's handler is about to block: others may take its queue. */
  private void beginStuck(Worker worker) {
    lock.acquire();
    try {
      markStuck(worker);
    } finally {
      lock.release();
    }
    worker.emptyInto(inlet);
    wakeForStuck();
  }

  /** Under the lock. */
  void markStuck(Worker worker) {
    if (!worker.stuck) {
      worker.stuck = true;
      stuckCount++;
      if (worker.body != null) {
        worker.held = true;
        heldCount++;
        inlet.hold(heldCount >= MOST_HELD * wanted);
      }
    }
  }

  /**
   * After the queue of a stuck worker was moved to the inlet: wakes or lends a worker for it. While
   * one is stuck, what its handler makes runnable goes to the inlet at once.
   */
  void wakeForStuck() {
    if (!inlet.isEmpty()) {
      wakeOne();
    }
  }

  void endStuck(Worker worker) {
    lock.acquire();
    try {
      if (worker.stuck) {
        worker.stuck = false;
        stuckCount--;
        if (worker.held) {
          worker.held = false;
          heldCount--;
          inlet.hold(heldCount >= MOST_HELD * wanted);
        }
        exhausted &= stuckCount >= most / 2; // else a new exhaustion is worth telling
      }
    } finally {
      lock.release();
    }
  }

  // ---------------------------------------------------------------- looking for work

  /**
   * Lets one new body start although too many workers are held by others, unless far too many are.
   */
  void makeException() {
    if (heldCount < UTMOST_HELD * wanted) {
      inlet.makeException();
    }
  }

  /** Among how many workers the inlet should be shared. */
  int sharers() {
    return Math.max(1, wanted);
  }

  /** Whether there are more workers than wanted, so that this one should leave. */
  boolean isSurplus(Worker worker) {
    return closed || (live - idleCount - stuckCount > wanted && !worker.stuck);
  }

  /**
   * Finds a task for a worker that has none, resting until there is one.
   *
   * @param worker the worker, whose thread this is
   * @return the task, or null if the worker should end
   */
  @Nullable RunTask search(Worker worker) {
    while (true) {
      if (leaves(worker)) {
        return null;
      }
      beginSearch(worker);
      RunTask task = look(worker);
      if (task != null) {
        endSearch(worker);
        return task;
      }
      worker.forgetTaken();
      worker.clearWoken();
      enterIdle(worker);
      VarHandle.fullFence(); // pairs with the one in schedule
      if ((closed || hasWork()) && leaveIdle(worker)) {
        watch.ensureAwake(); // it may have found all idle just now
        continue;
      }
      worker.rest();
      worker.searches = true; // counted by the waker
    }
  }

  private void beginSearch(Worker worker) {
    if (!worker.searches) {
      worker.searches = true;
      lock.acquire();
      try {
        searching++;
      } finally {
        lock.release();
      }
    }
  }

  private void endSearch(Worker worker) {
    worker.searches = false;
    boolean last;
    lock.acquire();
    try {
      last = --searching == 0;
    } finally {
      lock.release();
    }
    if (last && hasWork()) {
      wakeOne();
    }
  }

  /** Takes a task from wherever there is one. */
  private @Nullable RunTask look(Worker worker) {
    RunTask task = inlet.poll(worker.queue, sharers());
    if (task != null) {
      return task;
    }
    Worker[] all = this.all;
    for (int i = 0; i < all.length; i++) {
      task = all[Math.floorMod(worker.nextVictim(), all.length)].queue.poll();
      if (task != null) {
        return task;
      }
    }
    return null;
  }

  private boolean hasWork() {
    if (!inlet.isEmpty()) {
      return true;
    }
    for (Worker worker : all) {
      if (worker.queue.size() > 0) {
        return true;
      }
    }
    return false;
  }

  private void enterIdle(Worker worker) {
    lock.acquire();
    try {
      idle[idleCount] = worker;
      idleCount++;
      searching--;
      worker.searches = false;
    } finally {
      lock.release();
    }
  }

  /** Takes a worker out of the idle again. Answers false if somebody has, to wake it. */
  private boolean leaveIdle(Worker worker) {
    lock.acquire();
    try {
      for (int i = 0; i < idleCount; i++) {
        if (idle[i] == worker) {
          System.arraycopy(idle, i + 1, idle, i, idleCount - i - 1);
          idleCount--;
          return true;
        }
      }
      return false;
    } finally {
      lock.release();
    }
  }

  /** Takes a worker out for good, if the scheduler is closed or there are more than needed. */
  private boolean leaves(Worker worker) {
    if (!closed && live - stuckCount <= wanted) {
      return false;
    }
    worker.emptyInto(inlet);
    boolean leaves;
    lock.acquire();
    try {
      // Some spares may rest, ready to be lent again; more than that, or any at work beyond the
      // wanted number, go.
      leaves = closed || live - idleCount - stuckCount > wanted || idleCount > wanted;
      if (leaves) {
        all = without(all, worker); // first, since it needs memory
        live--;
        if (worker.searches) {
          searching--;
        }
      }
    } finally {
      lock.release();
    }
    if (!inlet.isEmpty()) {
      wakeOne();
    }
    return leaves;
  }

  private void tellExhausted() {
    try {
      setting.events().accept(new KernelEvent.WorkersExhausted(most));
    } catch (Throwable ignored) {
      // Most likely no memory for the event: whoever wakes must go on.
    }
  }

  private static Worker[] without(Worker[] workers, Worker worker) {
    Worker[] others = new Worker[workers.length - 1];
    int n = 0;
    for (Worker w : workers) {
      if (w != worker && n < others.length) {
        others[n++] = w;
      }
    }
    return others;
  }

  // ---------------------------------------------------------------- for the watch

  Worker[] all() {
    return all;
  }

  boolean allIdle() {
    return idleCount == live;
  }

  boolean isClosed() {
    return closed;
  }

  SpinLock lock() {
    return lock;
  }

  // ---------------------------------------------------------------- events and the end

  void emit(KernelEvent event) {
    try {
      setting.events().accept(event);
    } catch (Throwable ignored) {
      // A sink that fails must not take a worker with it; see EventSink.
    }
  }

  void fault(Throwable failure) {
    try {
      setting.events().accept(new KernelEvent.KernelFault("running a turn", failure));
    } catch (Throwable ignored) {
      // Most likely no memory for the event: the worker must go on.
    }
  }

  @Override
  public void close() {
    lock.acquire();
    try {
      closed = true;
    } finally {
      lock.release();
    }
    for (Worker worker : all) {
      worker.wake();
    }
    watch.close();
  }

  /**
   * Waits until the threads have ended.
   *
   * @param nanos how long at most
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void awaitThreads(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    for (Worker worker : all) {
      long left = deadline - System.nanoTime();
      if (left > 0 && worker.isAlive() && worker != Thread.currentThread()) {
        worker.join(java.time.Duration.ofNanos(left));
      }
    }
  }
}
