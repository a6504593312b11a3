package io.selvage.peers.jox;

import com.softwaremill.jox.Channel;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Many virtual threads send to one. */
final class FanIn {
  private final int messages;
  private final long expected;
  private final CountDownLatch start = new CountDownLatch(1);
  private final Channel<Integer> numbers = Channel.newUnlimitedChannel();
  private final CompletableFuture<Programs.Received> result = new CompletableFuture<>();
  private final Tally waiting = new Tally();

  private FanIn(int senders, int messages) {
    this.messages = messages;
    this.expected = (long) senders * messages;
  }

  private void receiver() {
    long count = 0;
    long sum = 0;
    try {
      while (count < expected) {
        sum += numbers.receive();
        count++;
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the receiver", e);
    }
    result.complete(new Programs.Received(count, sum));
  }

  private void sender() {
    waiting.increment();
    try {
      start.await();
      for (int i = 0; i < messages; i++) {
        numbers.send(i);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a sender", e);
    }
  }

  static Programs.Waiting open(int senders, int messages) {
    FanIn fanIn = new FanIn(senders, messages);
    Thread.startVirtualThread(fanIn::receiver);
    for (int i = 0; i < senders; i++) {
      Thread.startVirtualThread(fanIn::sender);
    }
    fanIn.waiting.await(senders);
    return () -> {
      fanIn.start.countDown();
      return fanIn.result.get();
    };
  }
}
