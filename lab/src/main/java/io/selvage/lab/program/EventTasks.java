package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import java.time.Duration;

/** Tasks that are event processes: each sets a timer and ends with its message. */
public final class EventTasks {
  private record Wake() {}

  private static final Wake WAKE = new Wake();

  private EventTasks() {}

  private static Behavior<Wake> task(Duration wait, TasksMeasurement measurement) {
    Behavior<Wake> waiting =
        (self, wake) -> {
          measurement.complete();
          return Behavior.stop();
        };
    return Behavior.setup(self -> {
      self.sendAfter(wait, WAKE);
      return waiting;
    });
  }

  /**
   * Runs the program.
   *
   * @param args {@code tasks=…}, {@code wait=…ms}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Duration wait = Duration.ofMillis(arguments.millis("wait"));
          try (Node node = Nodes.start(false)) {
            return TasksMeasurement.measure(
                arguments,
                measurement -> {
                  Behavior<Wake> task = task(wait, measurement);
                  return () -> node.spawn(task);
                });
          }
        });
  }
}
