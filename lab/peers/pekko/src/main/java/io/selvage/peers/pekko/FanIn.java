package io.selvage.peers.pekko;

import io.selvage.peers.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Many actors send to one. */
final class FanIn {
  private enum Start {
    START
  }

  private record Number(int value) {}

  private final int senders;
  private final int messages;
  private final CompletableFuture<Programs.Received> result = new CompletableFuture<>();
  private final CompletableFuture<List<ActorRef<Start>>> waiting = new CompletableFuture<>();

  private FanIn(int senders, int messages) {
    this.senders = senders;
    this.messages = messages;
  }

  private final class Receiver {
    private final long expected = (long) senders * messages;
    private long count;
    private long sum;

    private Behavior<Number> onNumber(Number number) {
      count++;
      sum += number.value();
      if (count < expected) {
        return Behaviors.same();
      }
      result.complete(new Programs.Received(count, sum));
      return Behaviors.stopped();
    }
  }

  private Behavior<Start> sender(ActorRef<Number> receiver) {
    return Behaviors.receiveMessage(start -> {
      for (int i = 0; i < messages; i++) {
        receiver.tell(new Number(i));
      }
      return Behaviors.stopped();
    });
  }

  private Behavior<Void> parent() {
    return Behaviors.setup(context -> {
      ActorRef<Number> receiver =
          context.spawnAnonymous(Behaviors.receiveMessage(new Receiver()::onNumber));
      List<ActorRef<Start>> all = new ArrayList<>();
      for (int i = 0; i < senders; i++) {
        all.add(context.spawnAnonymous(sender(receiver)));
      }
      waiting.complete(all);
      return Guardian.until(context, receiver);
    });
  }

  static Programs.Waiting open(int senders, int messages)
      throws InterruptedException, ExecutionException {
    FanIn fanIn = new FanIn(senders, messages);
    Guardian.spawn(fanIn.parent());
    List<ActorRef<Start>> waiting = fanIn.waiting.get();
    return () -> {
      waiting.forEach(sender -> sender.tell(Start.START));
      return fanIn.result.get();
    };
  }
}
