package io.selvage.lab.program;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import java.time.Duration;

/** Tasks that are direct processes: each waits for a message that nobody sends. */
public final class DirectTasks {
  private record Never() {}

  private DirectTasks() {}

  private static Body<Never> task(Duration wait, TasksMeasurement measurement) {
    return self -> {
      if (self.receive(wait) == null) {
        measurement.complete();
      }
    };
  }

  /**
   * Runs the program.
   *
   * @param args {@code tasks=…}, {@code wait=…ms}, {@code workers=true} to run on the node's own
   *     workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Duration wait = Duration.ofMillis(arguments.millis("wait"));
          try (Node node = Nodes.start(arguments.flag("workers"))) {
            return TasksMeasurement.measure(
                arguments,
                measurement -> {
                  Body<Never> task = task(wait, measurement);
                  return () -> node.spawn(task);
                });
          }
        });
  }
}
