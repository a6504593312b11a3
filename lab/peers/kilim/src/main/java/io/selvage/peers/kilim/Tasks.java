package io.selvage.peers.kilim;

import kilim.Pausable;
import kilim.Task;

/** Tasks that each sleep. */
final class Tasks {
  private Tasks() {}

  private static final class Sleeper extends Task<Void> {
    private final long millis;
    private final Runnable completed;

    Sleeper(long millis, Runnable completed) {
      this.millis = millis;
      this.completed = completed;
    }

    @Override
    public void execute() throws Pausable {
      Task.sleep(millis);
      completed.run();
    }
  }

  static void start(int tasks, long millis, Runnable completed) {
    for (int i = 0; i < tasks; i++) {
      new Sleeper(millis, completed).start();
    }
  }
}
