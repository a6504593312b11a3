package io.selvage.peers.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A tree of verticles; each sends its parent its number or the sum of its children. */
final class Skynet {
  private static final int CHILDREN = 10;

  private Skynet() {}

  private static final class Node extends VerticleBase {
    private final String parent;
    private final long number;
    private final int leaves;
    private long sum;
    private int missing = CHILDREN;

    Node(String parent, long number, int leaves) {
      this.parent = parent;
      this.number = number;
      this.leaves = leaves;
    }

    @Override
    public Future<?> start() {
      if (leaves == 1) {
        report(number);
        return Future.succeededFuture();
      }
      String address = Bus.address();
      vertx.eventBus().<Long>localConsumer(address, message -> onPart(message.body()));
      int each = leaves / CHILDREN;
      for (int i = 0; i < CHILDREN; i++) {
        vertx.deployVerticle(new Node(address, number + (long) i * each, each));
      }
      return Future.succeededFuture();
    }

    private void onPart(long part) {
      sum += part;
      missing--;
      if (missing == 0) {
        report(sum);
        vertx.undeploy(deploymentID()); // and with it the children
      }
    }

    private void report(long value) {
      vertx.eventBus().send(parent, value);
    }
  }

  static long sum(int leaves) throws InterruptedException, ExecutionException {
    CompletableFuture<Long> result = new CompletableFuture<>();
    String address = Bus.address();
    var root = Bus.EVENTS.<Long>localConsumer(address, message -> result.complete(message.body()));
    Bus.await(root.completion());
    Bus.VERTX.deployVerticle(new Node(address, 0, leaves));
    long sum = result.get();
    Bus.await(root.unregister());
    return sum;
  }
}
