package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Report;
import java.util.List;
import java.util.stream.IntStream;

/** A sender and many receivers that are event processes. */
public final class EventForkJoinThroughput {
  private record Compute(double angle) {}

  private record Send(List<Pid<Compute>> receivers, int messages) {}

  private static final Compute COMPUTE = new Compute(Computation.ANGLE);

  private EventForkJoinThroughput() {}

  private static final class Receiver implements Behavior<Compute> {
    private final int messages;
    private final Tally tally;
    private int count;

    Receiver(int messages, Tally tally) {
      this.messages = messages;
      this.tally = tally;
    }

    @Override
    public Behavior<Compute> onMessage(Self<Compute> self, Compute compute) {
      Computation.sine(compute.angle());
      count++;
      if (count < messages) {
        return this;
      }
      tally.end(count);
      return Behavior.stop();
    }
  }

  private static Behavior<Send> send(Self<Send> self, Send send) {
    for (int i = 0; i < send.messages; i++) {
      for (Pid<Compute> receiver : send.receivers) {
        receiver.send(COMPUTE);
      }
    }
    return Behavior.stop();
  }

  private static long run(Node node, int messages, int actors) throws InterruptedException {
    Tally tally = new Tally(actors);
    List<Pid<Compute>> receivers =
        IntStream.range(0, actors)
            .mapToObj(_ -> node.spawn(new Receiver(messages, tally)))
            .toList();
    node.<Send>spawn(EventForkJoinThroughput::send).send(new Send(receivers, messages));
    return tally.await();
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code actors=…}
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
