package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import java.time.Duration;

/** The smallest program with an event process. */
public final class EventStartup {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private record Ask(ReplyTo<Integer> replyTo, int question) {}

  private EventStartup() {}

  /**
   * Runs the program.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Pid<Ask> process =
          node.spawn((self, ask) -> {
            ask.replyTo.send(StartupReport.answer(ask.question));
            return Behavior.stop();
          });
      StartupReport.print(
          process.<Integer>call(replyTo -> new Ask(replyTo, StartupReport.QUESTION), PATIENCE));
    }
  }
}
