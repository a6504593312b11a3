package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.lab.program.Report;
import java.util.List;
import java.util.stream.IntStream;

/** A sender and many receivers that are direct processes. */
public final class DirectForkJoinThroughput {
  private record Compute(double angle) {}

  /** The sender gets no messages. */
  private record Never() {}

  private static final Compute COMPUTE = new Compute(Computation.ANGLE);

  private DirectForkJoinThroughput() {}

  private static Body<Compute> receiver(int messages, Tally tally) {
    return self -> {
      int count = 0;
      while (count < messages) {
        Computation.sine(self.receive().angle());
        count++;
      }
      tally.end(count);
    };
  }

  private static Body<Never> sender(List<Pid<Compute>> receivers, int messages) {
    return self -> {
      for (int i = 0; i < messages; i++) {
        for (Pid<Compute> receiver : receivers) {
          receiver.send(COMPUTE);
        }
      }
    };
  }

  private static long run(Node node, int messages, int actors) throws InterruptedException {
    Tally tally = new Tally(actors);
    List<Pid<Compute>> receivers =
        IntStream.range(0, actors).mapToObj(_ -> node.spawn(receiver(messages, tally))).toList();
    node.spawn(sender(receivers, messages));
    return tally.await();
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code actors=…}, {@code workers=true} to run on the node's own
   *     workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int messages = arguments.count("messages");
          int actors = arguments.count("actors");
          return Measurement.onNode(
              arguments, "messages", (long) messages * actors, node -> run(node, messages, actors));
        });
  }
}
