package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;

/** Overload of an event process by others. */
public final class EventOverload {
  private record Go() {}

  private static final Go GO = new Go();

  /** A handler is short, so that others get their turn: then the producer tells itself to go on. */
  private static final int AT_ONCE = 100;

  private EventOverload() {}

  private record Consumer(Load load) implements Behavior<Long> {
    @Override
    public Behavior<Long> onMessage(Self<Long> self, Long number) {
      load.take();
      return this;
    }
  }

  private record Producer(Load load, int number, Pid<Long> consumer) implements Behavior<Go> {
    @Override
    public Behavior<Go> onMessage(Self<Go> self, Go go) {
      for (int i = 0; i < AT_ONCE; i++) {
        long next = load.next(number);
        if (next < 0) {
          load.ended();
          return Behavior.stop();
        }
        consumer.send(next);
      }
      self.pid().send(go);
      return this;
    }
  }

  private static void start(Node node, Load load, int producers) {
    Pid<Long> consumer = node.spawn(new Consumer(load));
    for (int i = 0; i < producers; i++) {
      node.spawn(new Producer(load, i, consumer)).send(GO);
    }
  }

  /**
   * Runs the program.
   *
   * @param args {@code producers=…}, {@code work=…} in microseconds, {@code seconds=…}, {@code
   *     unbounded=true} to let the mailbox grow
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(false, Nodes.marks(arguments))) {
            return OverloadMeasurement.measure(
                arguments, (load, producers) -> start(node, load, producers));
          }
        });
  }
}
