package io.selvage.kernel.support;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;

/**
 * A program of its own JVM, with the default sink, that sends messages to a process that has ended.
 */
public final class DeadLetterProgram {
  private DeadLetterProgram() {}

  /** Sends as many as the argument says. */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Pid<String> dead = node.spawn((_, _) -> Behavior.stop());
      dead.send("stop");
      while (dead.isAlive()) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < Integer.parseInt(args[0]); i++) {
        dead.send("letter of " + i);
      }
    }
  }
}
