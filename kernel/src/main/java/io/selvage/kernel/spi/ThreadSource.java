package io.selvage.kernel.spi;

import io.selvage.kernel.internal.node.JdkThreads;

/**
 * Where a node's threads come from, and how code that waits inside the kernel gives its thread away
 * and gets it back. A source that starts no thread by itself and wakes only one at a time can run a
 * whole node step by step.
 *
 * <p>Implementations must be safe for use by many threads.
 */
public interface ThreadSource {
  /**
   * Makes a thread, not yet started, for a direct process.
   *
   * @param name its name
   * @param virtual whether it should be a virtual thread
   * @param owner becomes the uncaught-exception handler of the thread. The kernel finds the running
   *     process by it: do not replace it.
   * @param task what it runs
   * @return the thread
   */
  Thread processThread(
      String name, boolean virtual, Thread.UncaughtExceptionHandler owner, Runnable task);

  /**
   * Parks the calling thread until {@link #unpark}, an interrupt, or for no reason at all, as
   * {@link java.util.concurrent.locks.LockSupport#park} does.
   *
   * @param blocker what it waits for, for thread dumps
   */
  void park(Object blocker);

  /**
   * Ends the present or next {@link #park} of a thread.
   *
   * @param thread the thread that parks, or will
   */
  void unpark(Thread thread);

  /**
   * The threads of the JDK.
   *
   * @return the source
   */
  static ThreadSource jdk() {
    return JdkThreads.INSTANCE;
  }
}
