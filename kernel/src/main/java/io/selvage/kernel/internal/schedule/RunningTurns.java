package io.selvage.kernel.internal.schedule;

import io.selvage.kernel.internal.process.EventProcess;
import org.jspecify.annotations.Nullable;

/**
 * Which worker runs an event process just now, seen from another thread. The worker is not stopped,
 * so whoever asks must ask again after it has used the answer, if it matters.
 */
public final class RunningTurns {
  private RunningTurns() {}

  /** The thread that runs a process at this moment, or null. */
  public static @Nullable Thread threadOf(Workers workers, EventProcess<?> process) {
    for (Worker worker : workers.all()) {
      if (worker.running() == process) {
        return worker;
      }
    }
    return null;
  }

  /** Where the handler of a process is, top frame first; empty if it is in none. */
  public static StackTraceElement[] stackOf(Workers workers, EventProcess<?> process) {
    for (Worker worker : workers.all()) {
      long handled = worker.handled();
      if (worker.running() == process) {
        StackTraceElement[] stack = worker.getStackTrace();
        if (worker.running() == process && worker.handled() == handled) {
          return stack;
        }
      }
    }
    return new StackTraceElement[0];
  }
}
