package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import io.selvage.peers.Rewrites;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A manager and three stages, which are actors. */
final class Pipeline {
  /** Told by its identity from an item with the same text. */
  private static final String LAST = new String("last");

  private Pipeline() {}

  private static Actor<String, Void, Void> stage(int stage, Actor<String, Void, Void> next) {
    return Actors.start((item, self) -> {
      if (item == LAST) {
        next.sendMessage(LAST);
        self.askExit();
      } else {
        next.sendMessage(Rewrites.rewrite(stage, item));
      }
    });
  }

  private static Actor<String, Void, Void> lastStage(CompletableFuture<Integer> result) {
    Rewrites.Written written = new Rewrites.Written();
    return Actors.start((item, self) -> {
      if (item == LAST) {
        self.askExit();
        result.complete(written.items());
      } else {
        written.add(Rewrites.rewrite(Rewrites.STAGES - 1, item));
      }
    });
  }

  static int run(int items) throws InterruptedException, ExecutionException {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Actor<String, Void, Void> downloader = stage(0, stage(1, lastStage(result)));
    for (int i = 0; i < items; i++) {
      downloader.sendMessage(Rewrites.request(i));
    }
    downloader.sendMessage(LAST);
    return result.get();
  }
}
