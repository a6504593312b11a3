package io.selvage.peers.jetlang;

import io.selvage.peers.Rewrites;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.fibers.Fiber;

/** A manager and three stages, which are fibers. */
final class Pipeline {
  /** Told by its identity from an item with the same text. */
  private static final String LAST = new String("last");

  private final CompletableFuture<Integer> result = new CompletableFuture<>();

  private Pipeline() {}

  private static void stage(int stage, Channel<String> from, Channel<String> to) {
    Fiber fiber = Fibers.started();
    from.subscribe(
        fiber,
        item -> {
          if (item == LAST) {
            to.publish(LAST);
            fiber.dispose();
          } else {
            to.publish(Rewrites.rewrite(stage, item));
          }
        });
  }

  private void lastStage(Channel<String> from) {
    Fiber fiber = Fibers.started();
    Rewrites.Written written = new Rewrites.Written();
    from.subscribe(
        fiber,
        item -> {
          if (item == LAST) {
            fiber.dispose();
            result.complete(written.items());
          } else {
            written.add(Rewrites.rewrite(Rewrites.STAGES - 1, item));
          }
        });
  }

  static int run(int items) throws InterruptedException, ExecutionException {
    Pipeline pipeline = new Pipeline();
    Channel<String> requested = new MemoryChannel<>();
    Channel<String> downloaded = new MemoryChannel<>();
    Channel<String> indexed = new MemoryChannel<>();
    pipeline.lastStage(indexed);
    stage(1, downloaded, indexed);
    stage(0, requested, downloaded);
    for (int i = 0; i < items; i++) {
      requested.publish(Rewrites.request(i));
    }
    requested.publish(LAST);
    return pipeline.result.get();
  }
}
