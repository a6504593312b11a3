package io.selvage.peers.pekko;

import io.selvage.peers.Savina;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A sender gives each of some actors the same number of messages, round robin. */
final class ForkJoinThroughput {
  private record Compute(double theta) {}

  private record Computed(long messages) {}

  private final int messages;
  private final int actors;
  private final CompletableFuture<Long> result;
  private int answers;
  private long computed;

  private ForkJoinThroughput(int messages, int actors, CompletableFuture<Long> result) {
    this.messages = messages;
    this.actors = actors;
    this.result = result;
  }

  private final class Worker {
    private final ActorRef<Computed> parent;
    private int received;
    private long right;

    Worker(ActorRef<Computed> parent) {
      this.parent = parent;
    }

    private Behavior<Compute> onCompute(Compute message) {
      if (Savina.compute(message.theta()) > 0) {
        right++;
      }
      received++;
      if (received < messages) {
        return Behaviors.same();
      }
      parent.tell(new Computed(right));
      return Behaviors.stopped();
    }
  }

  private Behavior<Computed> sender(ActorContext<Computed> context) {
    List<ActorRef<Compute>> workers = new ArrayList<>();
    for (int i = 0; i < actors; i++) {
      Worker worker = new Worker(context.getSelf());
      workers.add(context.spawnAnonymous(Behaviors.receiveMessage(worker::onCompute)));
    }
    for (int i = 0; i < messages; i++) {
      for (ActorRef<Compute> worker : workers) {
        worker.tell(new Compute(Savina.theta()));
      }
    }
    return Behaviors.receiveMessage(this::onComputed);
  }

  private Behavior<Computed> onComputed(Computed message) {
    computed += message.messages();
    answers++;
    return answers < actors
        ? Behaviors.same()
        : Behaviors.stopped(() -> result.complete(computed));
  }

  static long run(int messages, int actors) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(
        result -> Behaviors.setup(new ForkJoinThroughput(messages, actors, result)::sender));
  }
}
