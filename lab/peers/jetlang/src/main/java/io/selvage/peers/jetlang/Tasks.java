package io.selvage.peers.jetlang;

import java.util.concurrent.TimeUnit;
import org.jetlang.fibers.Fiber;

/** Fibers that each schedule their own end. */
final class Tasks {
  private Tasks() {}

  static void start(int tasks, long millis, Runnable completed) {
    for (int i = 0; i < tasks; i++) {
      Fiber fiber = Fibers.started();
      fiber.schedule(
          () -> {
            completed.run();
            fiber.dispose();
          },
          millis,
          TimeUnit.MILLISECONDS);
    }
  }
}
