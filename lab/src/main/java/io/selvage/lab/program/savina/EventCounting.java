package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Report;

/** A producer and a counter that are event processes. */
public final class EventCounting {
  private sealed interface Count {
    record Increment() implements Count {}

    record Get(ReplyTo<Long> replyTo) implements Count {}
  }

  private sealed interface Produce {
    record Start(ReplyTo<Long> replyTo) implements Produce {}

    /** The counter has answered. */
    record Got(Outcome<Long> count, ReplyTo<Long> replyTo) implements Produce {}
  }

  private static final Count INCREMENT = new Count.Increment();

  private EventCounting() {}

  private static final class Counter implements Behavior<Count> {
    private long count;

    @Override
    public Behavior<Count> onMessage(Self<Count> self, Count message) {
      return switch (message) {
        case Count.Increment _ -> {
          count++;
          yield this;
        }
        case Count.Get(var replyTo) -> {
          replyTo.send(count);
          yield Behavior.stop();
        }
      };
    }
  }

  private record Producer(Pid<Count> counter, int messages) implements Behavior<Produce> {
    @Override
    public Behavior<Produce> onMessage(Self<Produce> self, Produce message) {
      return switch (message) {
        case Produce.Start(var replyTo) -> {
          for (int i = 0; i < messages; i++) {
            counter.send(INCREMENT);
          }
          self.<Count, Long>request(
              counter, Count.Get::new, Measurement.LONG, count -> new Produce.Got(count, replyTo));
          yield this;
        }
        case Produce.Got(var count, var replyTo) -> {
          replyTo.send(count.orThrow());
          yield Behavior.stop();
        }
      };
    }
  }

  private static long run(Node node, int messages) {
    Pid<Count> counter = node.spawn(new Counter());
    Pid<Produce> producer = node.spawn(new Producer(counter, messages));
    return producer.call(Produce.Start::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int messages = arguments.count("messages");
          return Measurement.onNode(arguments, "messages", messages, node -> run(node, messages));
        });
  }
}
