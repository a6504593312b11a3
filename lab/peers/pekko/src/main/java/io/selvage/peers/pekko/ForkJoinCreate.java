package io.selvage.peers.pekko;

import io.selvage.peers.Savina;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actors are created one after the other; each computes something for one message and ends. */
final class ForkJoinCreate {
  private record Compute(double theta, ActorRef<Computed> replyTo) {}

  private record Computed(double value) {}

  private final int actors;
  private final CompletableFuture<Long> result;
  private int answers;
  private long computed;

  private ForkJoinCreate(int actors, CompletableFuture<Long> result) {
    this.actors = actors;
    this.result = result;
  }

  private static Behavior<Compute> actor() {
    return Behaviors.receiveMessage(message -> {
      message.replyTo().tell(new Computed(Savina.compute(message.theta())));
      return Behaviors.stopped();
    });
  }

  private Behavior<Computed> parent(ActorContext<Computed> context) {
    Behavior<Compute> actor = actor();
    for (int i = 0; i < actors; i++) {
      context.spawnAnonymous(actor).tell(new Compute(Savina.theta(), context.getSelf()));
    }
    return Behaviors.receiveMessage(this::onComputed);
  }

  private Behavior<Computed> onComputed(Computed message) {
    if (message.value() > 0) {
      computed++;
    }
    answers++;
    // A parent has stopped when all of its children have.
    return answers < actors
        ? Behaviors.same()
        : Behaviors.stopped(() -> result.complete(computed));
  }

  static long run(int actors) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(
        result -> Behaviors.setup(new ForkJoinCreate(actors, result)::parent));
  }
}
