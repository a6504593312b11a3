package io.selvage.lab.program;

import static io.selvage.lab.program.SkynetMeasurement.CHILDREN;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import java.util.concurrent.CompletableFuture;

/** The tree of event processes. */
public final class EventSkynet {
  private EventSkynet() {}

  /** A leaf reports its number and ends; any other process spawns its children and waits. */
  private static Behavior<Long> process(Pid<Long> parent, long number, long leaves) {
    return Behavior.setup(self -> {
      if (leaves == 1) {
        parent.send(number);
        return Behavior.stop();
      }
      long each = leaves / CHILDREN;
      for (int i = 0; i < CHILDREN; i++) {
        self.spawn(process(self.pid(), number + i * each, each));
      }
      return new Adder(parent);
    });
  }

  /** Reports the sum of its children when the last one has reported. */
  private static final class Adder implements Behavior<Long> {
    private final Pid<Long> parent;
    private int missing = CHILDREN;
    private long sum;

    Adder(Pid<Long> parent) {
      this.parent = parent;
    }

    @Override
    public Behavior<Long> onMessage(Self<Long> self, Long part) {
      sum += part;
      missing--;
      if (missing > 0) {
        return this;
      }
      parent.send(sum);
      return Behavior.stop();
    }
  }

  private static SkynetMeasurement.Tree grow(Node node, int leaves) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    Pid<Long> reader =
        node.spawn((self, sum) -> {
          result.complete(sum);
          return Behavior.stop();
        });

    long start = System.nanoTime();
    node.spawn(process(reader, 0, leaves));
    long sum = result.join();
    return new SkynetMeasurement.Tree(System.nanoTime() - start, sum);
  }

  /**
   * Runs the program.
   *
   * @param args {@code leaves=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(false)) {
            return SkynetMeasurement.measure(arguments, leaves -> grow(node, leaves));
          }
        });
  }
}
