package io.selvage.peers.jox;

import com.softwaremill.jox.Channel;
import io.selvage.peers.Rewrites;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A manager and three stages, which are virtual threads. Channels hold as much as is sent, so that
 * nobody waits to send; a channel that is done ends the stage that reads it.
 */
final class Pipeline {
  private final CompletableFuture<Integer> result = new CompletableFuture<>();

  private Pipeline() {}

  private static void stage(int stage, Channel<String> from, Channel<String> to) {
    try {
      while (from.receiveOrClosed() instanceof String item) {
        to.send(Rewrites.rewrite(stage, item));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a stage", e);
    }
    to.done();
  }

  private void lastStage(Channel<String> from) {
    Rewrites.Written written = new Rewrites.Written();
    try {
      while (from.receiveOrClosed() instanceof String item) {
        written.add(Rewrites.rewrite(Rewrites.STAGES - 1, item));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a stage", e);
    }
    result.complete(written.items());
  }

  static int run(int items) throws InterruptedException, ExecutionException {
    Pipeline pipeline = new Pipeline();
    Channel<String> requested = Channel.newUnlimitedChannel();
    Channel<String> downloaded = Channel.newUnlimitedChannel();
    Channel<String> indexed = Channel.newUnlimitedChannel();
    Thread.startVirtualThread(() -> stage(0, requested, downloaded));
    Thread.startVirtualThread(() -> stage(1, downloaded, indexed));
    Thread.startVirtualThread(() -> pipeline.lastStage(indexed));
    for (int i = 0; i < items; i++) {
      requested.send(Rewrites.request(i));
    }
    requested.done();
    return pipeline.result.get();
  }
}
