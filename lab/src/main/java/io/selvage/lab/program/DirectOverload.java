package io.selvage.lab.program;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;

/** Overload of a direct process by others. */
public final class DirectOverload {
  private DirectOverload() {}

  private static Body<Long> consumer(Load load) {
    return self -> {
      while (true) {
        self.receive();
        load.take();
      }
    };
  }

  private static Body<Void> producer(Load load, int number, Pid<Long> consumer) {
    return self -> {
      for (long next = load.next(number); next >= 0; next = load.next(number)) {
        consumer.send(next);
      }
      load.ended();
    };
  }

  private static void start(Node node, Load load, int producers) {
    Pid<Long> consumer = node.spawn(consumer(load));
    for (int i = 0; i < producers; i++) {
      node.spawn(producer(load, i, consumer));
    }
  }

  /**
   * Runs the program.
   *
   * @param args {@code producers=…}, {@code work=…} in microseconds, {@code seconds=…}, {@code
   *     workers=true} to run on the node's own workers, {@code unbounded=true} to let the mailbox
   *     grow
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(arguments.flag("workers"), Nodes.marks(arguments))) {
            return OverloadMeasurement.measure(
                arguments, (load, producers) -> start(node, load, producers));
          }
        });
  }
}
