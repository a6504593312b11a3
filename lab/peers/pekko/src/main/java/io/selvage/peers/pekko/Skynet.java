package io.selvage.peers.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A tree of actors; each tells its parent its number or the sum of its children. */
final class Skynet {
  private static final int CHILDREN = 10;

  private final ActorRef<Long> parent;
  private long sum;
  private int missing = CHILDREN;

  private Skynet(ActorRef<Long> parent) {
    this.parent = parent;
  }

  private static Behavior<Long> node(ActorRef<Long> parent, long number, int leaves) {
    return Behaviors.setup(context -> {
      if (leaves == 1) {
        parent.tell(number);
        return Behaviors.stopped();
      }
      return new Skynet(parent).inner(context, number, leaves / CHILDREN);
    });
  }

  private Behavior<Long> inner(ActorContext<Long> context, long number, int leavesOfChild) {
    for (int i = 0; i < CHILDREN; i++) {
      context.spawnAnonymous(
          node(context.getSelf(), number + (long) i * leavesOfChild, leavesOfChild));
    }
    return Behaviors.receiveMessage(part -> {
      sum += part;
      missing--;
      if (missing > 0) {
        return Behaviors.same();
      }
      parent.tell(sum);
      return Behaviors.stopped();
    });
  }

  static long sum(int leaves) throws InterruptedException, ExecutionException {
    CompletableFuture<Long> result = new CompletableFuture<>();
    Guardian.spawn(
        Behaviors.<Long>setup(context -> {
          context.spawnAnonymous(node(context.getSelf(), 0, leaves));
          return Behaviors.receiveMessage(all -> {
            result.complete(all);
            return Behaviors.stopped();
          });
        }));
    return result.get();
  }
}
