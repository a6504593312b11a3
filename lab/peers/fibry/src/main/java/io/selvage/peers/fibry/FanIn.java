package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.PartialActor;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Many actors send to one. */
final class FanIn {
  private enum Start {
    START
  }

  private final int messages;
  private final long expected;
  private final CompletableFuture<Programs.Received> result = new CompletableFuture<>();
  private long count; // the receiver's
  private long sum; // the receiver's

  private FanIn(int senders, int messages) {
    this.messages = messages;
    this.expected = (long) senders * messages;
  }

  private void onNumber(Integer number, PartialActor<Integer, Void> self) {
    count++;
    sum += number;
    if (count == expected) {
      result.complete(new Programs.Received(count, sum));
      self.askExit();
    }
  }

  private Actor<Start, Void, Void> sender(Actor<Integer, Void, Void> receiver) {
    return Actors.start((start, self) -> {
      for (int i = 0; i < messages; i++) {
        receiver.sendMessage(i);
      }
      self.askExit();
    });
  }

  static Programs.Waiting open(int senders, int messages) {
    FanIn fanIn = new FanIn(senders, messages);
    Actor<Integer, Void, Void> receiver = Actors.start(fanIn::onNumber);
    Tally waiting = new Tally();
    List<Actor<Start, Void, Void>> all = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      Actor<Start, Void, Void> sender = fanIn.sender(receiver);
      sender.execAsync((Runnable) waiting::increment);
      all.add(sender);
    }
    waiting.await(senders);
    return () -> {
      all.forEach(sender -> sender.sendMessage(Start.START));
      return fanIn.result.get();
    };
  }
}
