package io.selvage.peers.pekko;

import io.selvage.peers.Rewrites;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A manager and three stages, which are actors. */
final class Pipeline {
  private sealed interface Msg {
    record Item(String text) implements Msg {}

    enum Last implements Msg {
      LAST
    }
  }

  private final CompletableFuture<Integer> result = new CompletableFuture<>();

  private Pipeline() {}

  private Behavior<Msg> stage(int stage, ActorRef<Msg> next) {
    return Behaviors.receiveMessage(message -> {
      if (message instanceof Msg.Item(String text)) {
        next.tell(new Msg.Item(Rewrites.rewrite(stage, text)));
        return Behaviors.same();
      }
      next.tell(message);
      return Behaviors.stopped();
    });
  }

  private Behavior<Msg> lastStage() {
    return Behaviors.setup(context -> {
      Rewrites.Written written = new Rewrites.Written();
      return Behaviors.receiveMessage(message -> {
        if (message instanceof Msg.Item(String text)) {
          written.add(Rewrites.rewrite(Rewrites.STAGES - 1, text));
          return Behaviors.same();
        }
        return Behaviors.stopped(() -> result.complete(written.items()));
      });
    });
  }

  private Behavior<Void> manager(int items) {
    return Behaviors.setup(context -> {
      ActorRef<Msg> last = context.spawnAnonymous(lastStage());
      ActorRef<Msg> next = last;
      for (int stage = Rewrites.STAGES - 2; stage >= 0; stage--) {
        next = context.spawnAnonymous(stage(stage, next));
      }
      for (int i = 0; i < items; i++) {
        next.tell(new Msg.Item(Rewrites.request(i)));
      }
      next.tell(Msg.Last.LAST);
      return Guardian.until(context, last);
    });
  }

  static int run(int items) throws InterruptedException, ExecutionException {
    Pipeline pipeline = new Pipeline();
    Guardian.spawn(pipeline.manager(items));
    return pipeline.result.get();
  }
}
