package io.selvage.kernel.internal.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Erases the thread-locals that a handler has left on its worker's thread, so that no other handler
 * sees them.
 *
 * <p>The JDK has no public way to do this. Where the JVM was started with {@code --add-opens
 * java.base/java.lang=io.selvage.kernel} (or {@code =ALL-UNNAMED} on the class path), the map in
 * the thread is dropped after each handler that has made one, at the cost of two reads. Elsewhere
 * they stay; {@code docs/adr} tells what else was tried.
 */
final class ThreadLocals {
  private static final @Nullable VarHandle LOCALS = find("threadLocals");
  private static final @Nullable VarHandle INHERITABLE = find("inheritableThreadLocals");

  private ThreadLocals() {}

  private static @Nullable VarHandle find(String field) {
    try {
      Class<?> type = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
      return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
          .findVarHandle(Thread.class, field, type);
    } catch (ReflectiveOperationException | RuntimeException notOpen) {
      return null;
    }
  }

  /**
   * Erases the thread-locals of a thread, if that is possible.
   *
   * @param thread the calling thread
   */
  static void erase(Thread thread) {
    VarHandle locals = LOCALS;
    VarHandle inheritable = INHERITABLE;
    if (locals != null && inheritable != null) {
      if ((Object) locals.get(thread) != null) {
        locals.set(thread, null);
      }
      if ((Object) inheritable.get(thread) != null) {
        inheritable.set(thread, null);
      }
    }
  }
}
