package io.selvage.peers.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Verticles that each set a timer and are undeployed when it goes off. */
final class Tasks {
  private Tasks() {}

  private static final class Task extends VerticleBase {
    private final long millis;
    private final Runnable completed;

    Task(long millis, Runnable completed) {
      this.millis = millis;
      this.completed = completed;
    }

    @Override
    public Future<?> start() {
      vertx.setTimer(
          millis,
          timer -> {
            completed.run();
            vertx.undeploy(deploymentID());
          });
      return Future.succeededFuture();
    }
  }

  static void start(int tasks, long millis, Runnable completed) {
    for (int i = 0; i < tasks; i++) {
      Bus.VERTX.deployVerticle(new Task(millis, completed));
    }
  }
}
