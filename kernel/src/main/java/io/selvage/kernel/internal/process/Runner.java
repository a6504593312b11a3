package io.selvage.kernel.internal.process;

import io.selvage.kernel.internal.schedule.Worker;
import org.jspecify.annotations.Nullable;

/**
 * What runs processes: a worker's thread, or the own thread of a direct process. It tells the
 * kernel, from any depth of user code, which process is running and on which worker.
 *
 * <p>A worker holds its runner in a field. Any other thread holds it as its uncaught-exception
 * handler: a place that every thread has, that costs a virtual thread no memory, and that a thread
 * started by a process does not inherit. (A thread-local or a scoped value costs a virtual thread
 * 150 to 250 bytes.)
 *
 * <p>Used by its own thread only.
 */
public final class Runner implements Thread.UncaughtExceptionHandler, Runnable {
  /** The process that runs now, or null between turns. */
  public @Nullable LocalProcess<?> process;

  /**
   * The worker whose thread this is, or that carries this virtual thread now; null on other
   * threads.
   */
  public @Nullable Worker worker;

  /** The thread, if it is no worker's: another may have been given the same handler. */
  @Nullable Thread thread;

  /**
   * The request that the process handles now, whose deadline its calls inherit; null if it handles
   * none. Set when a request is taken, cleared before the next message is.
   */
  @Nullable Request serving;

  /** Whether calls inherit no deadline; see {@link io.selvage.kernel.Self#withoutDeadline}. */
  boolean unbound;

  /** How often code on it has entered the kernel; see {@link StackReserve}. It may wrap around. */
  int entries;

  /** A runner that runs nothing yet. */
  public Runner() {}

  /** The runner of the calling thread, or null if it is no process's. */
  public static @Nullable Runner current() {
    Thread thread = Thread.currentThread();
    if (thread instanceof Worker w) {
      return w.runner;
    }
    return thread.getUncaughtExceptionHandler() instanceof Runner runner && runner.thread == thread
        ? runner
        : null;
  }

  /** The task of the thread of a direct process: one object less than a lambda. */
  @Override
  public void run() {
    if (process instanceof DirectProcess<?> direct) {
      direct.live();
    }
  }

  /** Whether blocking this thread would keep a worker from running other processes. */
  boolean holdsWorker() {
    return !Thread.currentThread().isVirtual() && process instanceof EventProcess;
  }

  /**
   * Bodies are run inside a handler for everything; what comes here was thrown by the JVM after
   * that.
   */
  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    ThreadGroup group = thread.getThreadGroup();
    if (group != null) {
      group.uncaughtException(thread, failure);
    }
  }
}
