package io.selvage.peers.jox;

/** Virtual threads that each sleep, which is how Jox waits. */
final class Tasks {
  private Tasks() {}

  static void start(int tasks, long millis, Runnable completed) {
    Runnable task =
        () -> {
          try {
            Thread.sleep(millis);
          } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a task", e);
          }
          completed.run();
        };
    for (int i = 0; i < tasks; i++) {
      Thread.startVirtualThread(task);
    }
  }
}
