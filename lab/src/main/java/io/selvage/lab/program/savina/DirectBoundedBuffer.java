package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.lab.program.Arguments;
import io.selvage.lab.program.Report;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Producers, consumers and a buffer that are direct processes. Putting and taking are calls, and
 * the buffer receives only what it can do: no puts while it is full, no takes while it is empty.
 */
public final class DirectBoundedBuffer {
  private sealed interface Msg {
    /** Begin. */
    record Start(ReplyTo<Long> replyTo) implements Msg {}

    record Put(double item, ReplyTo<Boolean> done) implements Msg {}

    /** Answered by an item, or by nothing if there will be none any more. */
    record Take(ReplyTo<Optional<Double>> replyTo) implements Msg {}

    /** A consumer has ended. */
    record Consumed(long items) implements Msg {}
  }

  private record Size(int buffer, int producers, int consumers, int items, int cost) {
    static Size of(Arguments arguments) {
      return new Size(
          arguments.count("buffer"),
          arguments.count("producers"),
          arguments.count("consumers"),
          arguments.count("items"),
          arguments.count("cost"));
    }
  }

  /** Neither producers nor consumers get messages. */
  private record Never() {}

  private DirectBoundedBuffer() {}

  private static Body<Never> producer(Pid<Msg> buffer, Size size) {
    return self -> {
      double item = 0;
      for (int i = 0; i < size.items; i++) {
        double next = Computation.item(item, size.cost);
        buffer.<Boolean>call(done -> new Msg.Put(next, done), Measurement.LONG);
        item = next;
      }
    };
  }

  private static Body<Never> consumer(Pid<Msg> buffer, Size size) {
    return self -> {
      long consumed = 0;
      double sum = 0;
      while (true) {
        Optional<Double> item = buffer.call(Msg.Take::new, Measurement.LONG);
        if (item.isEmpty()) {
          buffer.send(new Msg.Consumed(consumed));
          return;
        }
        sum = Computation.item(sum + item.get(), size.cost);
        consumed++;
      }
    };
  }

  private static void buffer(DirectSelf<Msg> self, Size size) {
    Msg.Start start = self.receive(Msg.Start.class);
    for (int i = 0; i < size.producers; i++) {
      self.spawn(producer(self.pid(), size));
    }
    for (int i = 0; i < size.consumers; i++) {
      self.spawn(consumer(self.pid(), size));
    }
    Queue<Double> held = new ArrayDeque<>();
    long toTake = (long) size.producers * size.items;
    while (toTake > 0) {
      if (held.size() < size.buffer) {
        switch (held.isEmpty() ? self.receive(Msg.Put.class) : self.receive()) {
          case Msg.Put(var item, var done) -> {
            held.add(item);
            done.send(true);
          }
          case Msg.Take(var replyTo) -> {
            replyTo.send(Optional.of(held.remove()));
            toTake--;
          }
          case Msg.Start _, Msg.Consumed _ ->
              throw new IllegalStateException("nobody may begin or end while there are items");
        }
      } else {
        self.receive(Msg.Take.class).replyTo().send(Optional.of(held.remove()));
        toTake--;
      }
    }
    for (int i = 0; i < size.consumers; i++) {
      self.receive(Msg.Take.class).replyTo().send(Optional.empty());
    }
    long consumed = 0;
    for (int i = 0; i < size.consumers; i++) {
      consumed += self.receive(Msg.Consumed.class).items();
    }
    start.replyTo().send(consumed);
  }

  private static long run(Node node, Size size) {
    Pid<Msg> buffer = node.spawn(self -> buffer(self, size));
    return buffer.call(Msg.Start::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code buffer=…}, {@code producers=…}, {@code consumers=…}, {@code items=…}, {@code
   *     cost=…}, {@code workers=true} to run on the node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Size size = Size.of(arguments);
          return Measurement.onNode(
              arguments, "items", (long) size.producers * size.items, node -> run(node, size));
        });
  }
}
