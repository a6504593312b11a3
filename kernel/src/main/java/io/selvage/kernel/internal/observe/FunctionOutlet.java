package io.selvage.kernel.internal.observe;

import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.KernelEvent;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows news to a function, on a thread of its own: a platform thread, which runs however busy the
 * node's processes keep workers and carriers. What the function throws goes to that thread's
 * handler for uncaught exceptions, and the next piece of news comes all the same.
 *
 * @param <N> the news
 */
public final class FunctionOutlet<N> extends Outlet<N> {
  private final Consumer<? super N> function;
  private final ConcurrentLinkedQueue<N> queue = new ConcurrentLinkedQueue<>();
  private final Teller thread;

  /** The thread of an outlet. */
  private static final class Teller extends Thread {
    /** Whether the function is being shown a dead letter. This thread only. */
    private boolean showsDeadLetter;

    Teller(Runnable task, String name) {
      super(null, task, name, 0, false);
      setDaemon(true);
    }
  }

  /**
   * Set by the thread before it looks at the queue for the last time and parks; read after an entry
   * was added (both volatile): one of the two sees the other.
   */
  private volatile boolean sleeps;

  /**
   * An outlet whose thread runs from now on until it is closed.
   *
   * @param threadName the name of the thread
   * @param capacity how many may wait
   * @param perSecond how many may come in a second
   * @param sum counts the losses of all
   * @param lossNotice makes the notice of a loss
   * @param function what the news are shown to
   */
  public FunctionOutlet(
      String threadName,
      int capacity,
      int perSecond,
      LongAdder sum,
      LongFunction<N> lossNotice,
      Consumer<? super N> function) {
    super(capacity, perSecond, sum, lossNotice);
    this.function = function;
    this.thread = new Teller(this::run, threadName);
  }

  /** Whether the calling thread is that of a function which is being shown a dead letter. */
  public static boolean showsDeadLetter() {
    return Thread.currentThread() instanceof Teller teller && teller.showsDeadLetter;
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  @Override
  public @Nullable LocalProcess<?> owner() {
    return null;
  }

  @Override
  boolean deliver(N news) {
    queue.add(news);
    wake();
    return true;
  }

  @Override
  void ended() {
    wake();
  }

  private void wake() {
    if (sleeps) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (true) {
      N news = queue.poll();
      if (news != null) {
        taken();
        showLoss();
        show(news);
        boolean _ = Thread.interrupted(); // the function's own business, and it would keep us awake
        continue;
      }
      showLoss();
      sleeps = true;
      if (queue.isEmpty()) {
        if (!isOpen()) {
          return;
        }
        LockSupport.park(this);
      }
      sleeps = false;
      boolean _ = Thread.interrupted();
    }
  }

  private void showLoss() {
    try {
      N loss = newLoss();
      if (loss != null) {
        show(loss);
      }
    } catch (OutOfMemoryError e) {
      // It is told with the next.
    }
  }

  private void show(N news) {
    thread.showsDeadLetter = news instanceof KernelEvent.DeadLetter;
    try {
      function.accept(news);
    } catch (Throwable failure) {
      report(failure);
    } finally {
      thread.showsDeadLetter = false;
    }
  }

  /**
   * The thread must outlive what the handler throws, too: most likely it has no memory for text.
   */
  private void report(Throwable failure) {
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable ignored) {
      // Nobody is left to be told.
    }
  }
}
