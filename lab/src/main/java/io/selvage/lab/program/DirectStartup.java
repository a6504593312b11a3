package io.selvage.lab.program;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import java.time.Duration;

/** The smallest program with a direct process. */
public final class DirectStartup {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private record Ask(ReplyTo<Integer> replyTo, int question) {}

  private DirectStartup() {}

  /**
   * Runs the program.
   *
   * @param args {@code workers=true} to run on the node's own workers
   */
  public static void main(String[] args) {
    try (Node node = Nodes.start(new Arguments(args).flag("workers"))) {
      Body<Ask> answering =
          self -> {
            Ask ask = self.receive();
            ask.replyTo.send(StartupReport.answer(ask.question));
          };
      Pid<Ask> process = node.spawn(answering);
      StartupReport.print(
          process.<Integer>call(replyTo -> new Ask(replyTo, StartupReport.QUESTION), PATIENCE));
    } catch (Report.Refused e) {
      Report.print(
          args,
          arguments -> {
            throw e;
          });
    }
  }
}
