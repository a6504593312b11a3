package io.selvage.peers.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Two verticles that send a counter to and fro. */
final class PingPong {
  private final int rounds;
  private final String pings = Bus.address();
  private final String pongs = Bus.address();
  private final CompletableFuture<Long> result = new CompletableFuture<>();
  private volatile long pinged;

  private PingPong(int rounds) {
    this.rounds = rounds;
  }

  private final class Ponger extends VerticleBase {
    private int count;

    @Override
    public Future<?> start() {
      return vertx.eventBus().localConsumer(pings, this::onPing).completion();
    }

    private void onPing(Message<Integer> ping) {
      count++;
      if (count == rounds) {
        pinged = count; // before the last answer, so that the other sees it
      }
      vertx.eventBus().send(pongs, ping.body());
    }
  }

  private final class Pinger extends VerticleBase {
    private int count;

    @Override
    public Future<?> start() {
      return vertx
          .eventBus()
          .localConsumer(pongs, this::onPong)
          .completion()
          .onSuccess(registered -> vertx.eventBus().send(pings, count));
    }

    private void onPong(Message<Integer> pong) {
      if (pong.body() != count) {
        result.complete(-1L);
        return;
      }
      count++;
      if (count < rounds) {
        vertx.eventBus().send(pings, count);
      } else {
        result.complete(pinged + count);
      }
    }
  }

  static long run(int rounds) throws InterruptedException, ExecutionException {
    PingPong pingPong = new PingPong(rounds);
    String ponger = Bus.await(Bus.VERTX.deployVerticle(pingPong.new Ponger()));
    String pinger = Bus.await(Bus.VERTX.deployVerticle(pingPong.new Pinger()));
    long messages = pingPong.result.get();
    Bus.await(Bus.VERTX.undeploy(pinger));
    Bus.await(Bus.VERTX.undeploy(ponger));
    return messages;
  }
}
