package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.lab.program.Report;

/** A parent creates event processes, and each ends with its first message. */
public final class EventForkJoinCreate {
  private record Compute(double angle) {}

  private record Create(int actors) {}

  private static final Compute COMPUTE = new Compute(Computation.ANGLE);

  private EventForkJoinCreate() {}

  private static Behavior<Compute> child(Tally tally) {
    return (self, compute) -> {
      Computation.sine(compute.angle());
      tally.end(1);
      return Behavior.stop();
    };
  }

  private static Behavior<Create> parent(Tally tally) {
    Behavior<Compute> child = child(tally); // has no state, so all can share it
    return (self, create) -> {
      for (int i = 0; i < create.actors(); i++) {
        self.spawn(child).send(COMPUTE);
      }
      return Behavior.stop();
    };
  }

  private static long run(Node node, int actors) throws InterruptedException {
    Tally tally = new Tally(actors);
    node.spawn(parent(tally)).send(new Create(actors));
    return tally.await();
  }

  /**
   * Runs the program.
   *
   * @param args {@code actors=…}
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
