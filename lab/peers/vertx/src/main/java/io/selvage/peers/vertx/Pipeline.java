package io.selvage.peers.vertx;

import io.selvage.peers.Rewrites;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A manager and three stages, which are verticles. A message without a body is the last one. */
final class Pipeline {
  private static final String LAST = null;

  private final int items;
  private final String[] addresses = new String[Rewrites.STAGES];
  private final CompletableFuture<Integer> result = new CompletableFuture<>();

  private Pipeline(int items) {
    this.items = items;
    for (int stage = 0; stage < Rewrites.STAGES; stage++) {
      addresses[stage] = Bus.address();
    }
  }

  private final class Stage extends VerticleBase {
    private final int stage;

    Stage(int stage) {
      this.stage = stage;
    }

    @Override
    public Future<?> start() {
      return vertx.eventBus().localConsumer(addresses[stage], this::onItem).completion();
    }

    private void onItem(Message<String> item) {
      String next = addresses[stage + 1];
      if (item.body() == LAST) {
        vertx.eventBus().send(next, LAST);
        vertx.undeploy(deploymentID());
      } else {
        vertx.eventBus().send(next, Rewrites.rewrite(stage, item.body()));
      }
    }
  }

  private final class LastStage extends VerticleBase {
    private final Rewrites.Written written = new Rewrites.Written();

    @Override
    public Future<?> start() {
      return vertx
          .eventBus()
          .localConsumer(addresses[Rewrites.STAGES - 1], this::onItem)
          .completion();
    }

    private void onItem(Message<String> item) {
      if (item.body() == LAST) {
        vertx.undeploy(deploymentID()).onComplete(undeployed -> result.complete(written.items()));
      } else {
        written.add(Rewrites.rewrite(Rewrites.STAGES - 1, item.body()));
      }
    }
  }

  private final class Manager extends VerticleBase {
    @Override
    public Future<?> start() {
      for (int i = 0; i < items; i++) {
        vertx.eventBus().send(addresses[0], Rewrites.request(i));
      }
      vertx.eventBus().send(addresses[0], LAST);
      return Future.succeededFuture();
    }
  }

  static int run(int items) throws InterruptedException, ExecutionException {
    Pipeline pipeline = new Pipeline(items);
    Bus.await(Bus.VERTX.deployVerticle(pipeline.new LastStage()));
    for (int stage = Rewrites.STAGES - 2; stage >= 0; stage--) {
      Bus.await(Bus.VERTX.deployVerticle(pipeline.new Stage(stage)));
    }
    Future<String> manager = Bus.VERTX.deployVerticle(pipeline.new Manager());
    int written = pipeline.result.get();
    Bus.await(manager.compose(Bus.VERTX::undeploy));
    return written;
  }
}
