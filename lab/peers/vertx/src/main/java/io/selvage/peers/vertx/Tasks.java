package io.selvage.peers.vertx;

/**
 * Timers: in Vert.x what only waits is not a verticle of its own, but a timer that calls back on an
 * event loop.
 */
final class Tasks {
  private Tasks() {}

  static void start(int tasks, long millis, Runnable completed) {
    for (int i = 0; i < tasks; i++) {
      Bus.VERTX.setTimer(millis, timer -> completed.run());
    }
  }
}
