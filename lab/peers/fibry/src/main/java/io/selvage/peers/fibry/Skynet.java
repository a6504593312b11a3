package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.PartialActor;
import eu.lucaventuri.fibry.Stereotypes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A tree of actors; each sends its parent its number or the sum of its children. */
final class Skynet {
  private static final int CHILDREN = 10;

  private final Actor<Long, Void, Void> parent;
  private long sum;
  private int missing = CHILDREN;

  private Skynet(Actor<Long, Void, Void> parent) {
    this.parent = parent;
  }

  private static void start(Actor<Long, Void, Void> parent, long number, int leaves) {
    if (leaves == 1) {
      Stereotypes.fibers().runOnce(() -> parent.sendMessage(number));
      return;
    }
    Actor<Long, Void, Void> self = Actors.start(new Skynet(parent)::onPart);
    int each = leaves / CHILDREN;
    self.execAsync(() -> {
      for (int i = 0; i < CHILDREN; i++) {
        start(self, number + (long) i * each, each);
      }
    });
  }

  private void onPart(long part, PartialActor<Long, Void> self) {
    sum += part;
    missing--;
    if (missing == 0) {
      parent.sendMessage(sum);
      self.askExit();
    }
  }

  static long sum(int leaves) throws InterruptedException, ExecutionException {
    CompletableFuture<Long> result = new CompletableFuture<>();
    Actor<Long, Void, Void> root =
        Actors.start((sum, self) -> {
          result.complete(sum);
          self.askExit();
        });
    start(root, 0, leaves);
    return result.get();
  }
}
