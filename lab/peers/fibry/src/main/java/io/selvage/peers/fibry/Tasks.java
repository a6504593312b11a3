package io.selvage.peers.fibry;

import eu.lucaventuri.common.SystemUtils;
import eu.lucaventuri.fibry.Stereotypes;

/** Actors that each sleep once and end. */
final class Tasks {
  private Tasks() {}

  static void start(int tasks, long millis, Runnable completed) {
    Stereotypes.NamedStereotype fibers = Stereotypes.fibers();
    Runnable task =
        () -> {
          SystemUtils.sleep(millis);
          completed.run();
        };
    for (int i = 0; i < tasks; i++) {
      fibers.runOnce(task);
    }
  }
}
