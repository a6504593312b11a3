package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Arguments;
import io.selvage.lab.program.Report;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Producers, consumers and a buffer that are event processes. Nobody waits inside a handler: a
 * producer makes an item when the buffer has room for it and says so.
 */
public final class EventBoundedBuffer {
  private sealed interface Msg {
    /** Begin. */
    record Start(ReplyTo<Long> replyTo) implements Msg {}

    record Put(double item, Pid<Producer> from) implements Msg {}

    /** A producer that was asked for an item has none left. */
    record NoMore() implements Msg {}

    /** A consumer has nothing to do. */
    record Idle(Pid<Consumer> consumer) implements Msg {}

    /** A consumer has been told to stop. */
    record Consumed(long items) implements Msg {}
  }

  private sealed interface Producer {
    /** There is room for an item of yours. */
    record Produce() implements Producer {}
  }

  private sealed interface Consumer {
    record Consume(double item) implements Consumer {}

    record Stop() implements Consumer {}
  }

  private static final Producer PRODUCE = new Producer.Produce();
  private static final Consumer STOP = new Consumer.Stop();

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

  private EventBoundedBuffer() {}

  private static final class ProducerBehavior implements Behavior<Producer> {
    private final Pid<Msg> buffer;
    private final int items;
    private final int cost;
    private int made;
    private double item;

    ProducerBehavior(Pid<Msg> buffer, Size size) {
      this.buffer = buffer;
      this.items = size.items;
      this.cost = size.cost;
    }

    @Override
    public Behavior<Producer> onMessage(Self<Producer> self, Producer message) {
      if (made == items) {
        buffer.send(new Msg.NoMore());
        return Behavior.stop();
      }
      item = Computation.item(item, cost);
      made++;
      buffer.send(new Msg.Put(item, self.pid()));
      return this;
    }
  }

  private static final class ConsumerBehavior implements Behavior<Consumer> {
    private final Pid<Msg> buffer;
    private final int cost;
    private long consumed;
    private double sum;

    private ConsumerBehavior(Pid<Msg> buffer, Size size) {
      this.buffer = buffer;
      this.cost = size.cost;
    }

    @Override
    public Behavior<Consumer> onMessage(Self<Consumer> self, Consumer message) {
      switch (message) {
        case Consumer.Consume(var item) -> {
          sum = Computation.item(sum + item, cost);
          consumed++;
          buffer.send(new Msg.Idle(self.pid()));
        }
        case Consumer.Stop _ -> {
          buffer.send(new Msg.Consumed(consumed));
          return Behavior.stop();
        }
      }
      return this;
    }
  }

  private static final class Buffer implements Behavior<Msg> {
    private final Size size;
    private final Queue<Double> held = new ArrayDeque<>();
    private final Queue<Pid<Producer>> waiting = new ArrayDeque<>();
    private final Queue<Pid<Consumer>> idle = new ArrayDeque<>();
    private @Nullable ReplyTo<Long> replyTo;

    /** Room that is neither filled nor promised to a producer. */
    private int room;

    private int producing;
    private int consuming;
    private long consumed;

    Buffer(Size size) {
      this.size = size;
      this.room = size.buffer;
      this.producing = size.producers;
      this.consuming = size.consumers;
    }

    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      switch (message) {
        case Msg.Start start -> start(self, start);
        case Msg.Put(var item, var from) -> {
          held.add(item);
          waiting.add(from);
        }
        case Msg.NoMore _ -> {
          producing--;
          room++;
        }
        case Msg.Idle(var consumer) -> idle.add(consumer);
        case Msg.Consumed(var items) -> {
          consuming--;
          consumed += items;
        }
      }
      while (!held.isEmpty() && !idle.isEmpty()) {
        idle.remove().send(new Consumer.Consume(held.remove()));
        room++;
      }
      while (room > 0 && !waiting.isEmpty()) {
        waiting.remove().send(PRODUCE);
        room--;
      }
      if (producing == 0 && held.isEmpty()) {
        idle.forEach(consumer -> consumer.send(STOP));
        idle.clear();
      }
      if (consuming > 0) {
        return this;
      }
      Objects.requireNonNull(replyTo).send(consumed);
      return Behavior.stop();
    }

    private void start(Self<Msg> self, Msg.Start start) {
      replyTo = start.replyTo;
      for (int i = 0; i < size.producers; i++) {
        waiting.add(self.spawn(new ProducerBehavior(self.pid(), size)));
      }
      for (int i = 0; i < size.consumers; i++) {
        idle.add(self.spawn(new ConsumerBehavior(self.pid(), size)));
      }
    }
  }

  private static long run(Node node, Size size) {
    Pid<Msg> buffer = node.spawn(new Buffer(size));
    return buffer.call(Msg.Start::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code buffer=…}, {@code producers=…}, {@code consumers=…}, {@code items=…}, {@code
   *     cost=…}
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
