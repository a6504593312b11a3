package io.selvage.peers.jetlang;

import io.selvage.peers.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.fibers.Fiber;

/** Many fibers send to one. */
final class FanIn {
  private enum Start {
    START
  }

  private final int messages;
  private final long expected;
  private final Channel<Start> start = new MemoryChannel<>();
  private final Channel<Integer> numbers = new MemoryChannel<>();
  private final CompletableFuture<Programs.Received> result = new CompletableFuture<>();
  private long count; // the receiver's
  private long sum; // the receiver's

  private FanIn(int senders, int messages) {
    this.messages = messages;
    this.expected = (long) senders * messages;
  }

  private void onNumber(int number) {
    count++;
    sum += number;
    if (count == expected) {
      result.complete(new Programs.Received(count, sum));
    }
  }

  private void onStart(Start started) {
    for (int i = 0; i < messages; i++) {
      numbers.publish(i);
    }
  }

  static Programs.Waiting open(int senders, int messages) {
    FanIn fanIn = new FanIn(senders, messages);
    List<Fiber> fibers = new ArrayList<>();
    Fiber receiver = Fibers.started();
    fibers.add(receiver);
    fanIn.numbers.subscribe(receiver, fanIn::onNumber);
    for (int i = 0; i < senders; i++) {
      Fiber sender = Fibers.started();
      fibers.add(sender);
      fanIn.start.subscribe(sender, fanIn::onStart);
    }
    return () -> {
      fanIn.start.publish(Start.START);
      Programs.Received received = fanIn.result.get();
      fibers.forEach(Fiber::dispose);
      return received;
    };
  }
}
