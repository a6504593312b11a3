package io.selvage.kernel.internal.schedule;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes virtual threads whose scheduler is ours, so that the workers carry them beside event
 * processes. The JDK has that inside, but not in public: it needs {@code --add-opens
 * java.base/java.lang=…} and the shape that the JDK has had since 21.
 */
public final class WorkerCarriers {
  private final MethodHandle newVirtualThread;

  private WorkerCarriers(MethodHandle newVirtualThread) {
    this.newVirtualThread = newVirtualThread;
  }

  /** The way to make such threads, or null if this JVM has none. */
  public static @Nullable WorkerCarriers find() {
    try {
      Class<?> builders = Class.forName("java.lang.ThreadBuilders");
      MethodHandle handle =
          MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
              .findStatic(
                  builders,
                  "newVirtualThread",
                  MethodType.methodType(
                      Thread.class, Executor.class, String.class, int.class, Runnable.class));
      return new WorkerCarriers(handle);
    } catch (ReflectiveOperationException | RuntimeException absentOrNotOpen) {
      return null;
    }
  }

  /**
   * Makes a virtual thread.
   *
   * @param scheduler is given the thread's continuation each time it can run
   * @param handler the thread's uncaught-exception handler
   * @param task what it runs
   * @return the thread, not started
   */
  public Thread newThread(
      Executor scheduler, Thread.UncaughtExceptionHandler handler, Runnable task) {
    try {
      Thread thread = (Thread) newVirtualThread.invokeExact(scheduler, "selvage-process", 0, task);
      thread.setUncaughtExceptionHandler(handler);
      return thread;
    } catch (Error | RuntimeException failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
