package io.selvage.peers.jetlang;

import io.selvage.peers.Load;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.fibers.Fiber;

/** Fibers that send to one. A fiber's queue has no bound, and Jetlang no other kind. */
final class Overload {
  private final Load load;
  private final int number;
  private final Fiber fiber = Fibers.started();
  private final Channel<Long> consumer;

  private Overload(Load load, int number, Channel<Long> consumer) {
    this.load = load;
    this.number = number;
    this.consumer = consumer;
  }

  /** Sends some, then lets others have the thread. */
  private void produce() {
    for (int i = 0; i < Load.AT_ONCE; i++) {
      long next = load.next(number);
      if (next < 0) {
        load.ended();
        fiber.dispose();
        return;
      }
      consumer.publish(next);
    }
    fiber.execute(this::produce);
  }

  static void start(Load load, int producers) {
    Channel<Long> numbers = new MemoryChannel<>();
    numbers.subscribe(Fibers.started(), number -> load.take());
    for (int i = 0; i < producers; i++) {
      Overload producer = new Overload(load, i, numbers);
      producer.fiber.execute(producer::produce);
    }
  }
}
