package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.lab.program.Report;

/** A parent creates direct processes, and each ends after its first message. */
public final class DirectForkJoinCreate {
  private record Compute(double angle) {}

  /** The parent gets no messages. */
  private record Never() {}

  private static final Compute COMPUTE = new Compute(Computation.ANGLE);

  private DirectForkJoinCreate() {}

  private static Body<Compute> child(Tally tally) {
    return self -> {
      Computation.sine(self.receive().angle());
      tally.end(1);
    };
  }

  private static Body<Never> parent(int actors, Tally tally) {
    Body<Compute> child = child(tally);
    return self -> {
      for (int i = 0; i < actors; i++) {
        self.spawn(child).send(COMPUTE);
      }
    };
  }

  private static long run(Node node, int actors) throws InterruptedException {
    Tally tally = new Tally(actors);
    node.spawn(parent(actors, tally));
    return tally.await();
  }

  /**
   * Runs the program.
   *
   * @param args {@code actors=…}, {@code workers=true} to run on the node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int actors = arguments.count("actors");
          return Measurement.onNode(arguments, "ended", actors, node -> run(node, actors));
        });
  }
}
