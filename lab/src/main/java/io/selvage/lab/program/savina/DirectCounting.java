package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.lab.program.Report;

/** A producer and a counter that are direct processes. */
public final class DirectCounting {
  private sealed interface Count {
    record Increment() implements Count {}

    record Get(ReplyTo<Long> replyTo) implements Count {}
  }

  private static final Count INCREMENT = new Count.Increment();

  private DirectCounting() {}

  private static Body<Count> counter() {
    return self -> {
      long count = 0;
      while (true) {
        switch (self.receive()) {
          case Count.Increment _ -> count++;
          case Count.Get(var replyTo) -> {
            replyTo.send(count);
            return;
          }
        }
      }
    };
  }

  private static Body<ReplyTo<Long>> producer(Pid<Count> counter, int messages) {
    return self -> {
      ReplyTo<Long> replyTo = self.receive();
      for (int i = 0; i < messages; i++) {
        counter.send(INCREMENT);
      }
      replyTo.send(counter.call(Count.Get::new, Measurement.LONG));
    };
  }

  private static long run(Node node, int messages) {
    Pid<Count> counter = node.spawn(counter());
    Pid<ReplyTo<Long>> producer = node.spawn(producer(counter, messages));
    return producer.<Long>call(replyTo -> replyTo, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code workers=true} to run on the node's own workers
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
