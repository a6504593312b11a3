package io.selvage.kernel.internal.node;

import io.selvage.kernel.spi.ThreadSource;
import java.util.concurrent.locks.LockSupport;

/** The threads of the JDK. */
public final class JdkThreads implements ThreadSource {
  /** The one instance; it has no state. */
  public static final JdkThreads INSTANCE = new JdkThreads();

  private JdkThreads() {}

  @Override
  public Thread processThread(
      String name, boolean virtual, Thread.UncaughtExceptionHandler owner, Runnable task) {
    return virtual
        ? Thread.ofVirtual()
            .name(name)
            .inheritInheritableThreadLocals(false)
            .uncaughtExceptionHandler(owner)
            .unstarted(task)
        : Thread.ofPlatform()
            .name(name)
            .daemon()
            .inheritInheritableThreadLocals(false)
            .uncaughtExceptionHandler(owner)
            .unstarted(task);
  }

  @Override
  public void park(Object blocker) {
    LockSupport.park(blocker);
  }

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }
}
