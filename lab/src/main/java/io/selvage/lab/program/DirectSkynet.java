package io.selvage.lab.program;

import static io.selvage.lab.program.SkynetMeasurement.CHILDREN;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import java.util.concurrent.CompletableFuture;

/** The tree of direct processes. */
public final class DirectSkynet {
  private DirectSkynet() {}

  /** A leaf reports its number, any other process the sum of its children. */
  private static Body<Long> process(Pid<Long> parent, long number, long leaves) {
    return self -> {
      if (leaves == 1) {
        parent.send(number);
        return;
      }
      long each = leaves / CHILDREN;
      for (int i = 0; i < CHILDREN; i++) {
        self.spawn(process(self.pid(), number + i * each, each));
      }
      long sum = 0;
      for (int i = 0; i < CHILDREN; i++) {
        sum += self.receive();
      }
      parent.send(sum);
    };
  }

  private static SkynetMeasurement.Tree grow(Node node, int leaves) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    Body<Long> reading = self -> result.complete(self.receive());
    Pid<Long> reader = node.spawn(reading);

    long start = System.nanoTime();
    node.spawn(process(reader, 0, leaves));
    long sum = result.join();
    return new SkynetMeasurement.Tree(System.nanoTime() - start, sum);
  }

  /**
   * Runs the program.
   *
   * @param args {@code leaves=…}, {@code workers=true} to run on the node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(arguments.flag("workers"))) {
            return SkynetMeasurement.measure(arguments, leaves -> grow(node, leaves));
          }
        });
  }
}
