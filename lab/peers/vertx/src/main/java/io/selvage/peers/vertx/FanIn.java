package io.selvage.peers.vertx;

import io.selvage.peers.Programs;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Many verticles send to one. */
final class FanIn {
  private static final Integer START = 0;

  private final int messages;
  private final long expected;
  private final String start = Bus.address();
  private final String numbers = Bus.address();
  private final CompletableFuture<Programs.Received> result = new CompletableFuture<>();

  private FanIn(int senders, int messages) {
    this.messages = messages;
    this.expected = (long) senders * messages;
  }

  private final class Receiver extends VerticleBase {
    private long count;
    private long sum;

    @Override
    public Future<?> start() {
      return vertx.eventBus().localConsumer(numbers, this::onNumber).completion();
    }

    private void onNumber(Message<Integer> number) {
      count++;
      sum += number.body();
      if (count == expected) {
        result.complete(new Programs.Received(count, sum));
      }
    }
  }

  private final class Sender extends VerticleBase {
    @Override
    public Future<?> start() {
      return vertx.eventBus().localConsumer(start, this::onStart).completion();
    }

    private void onStart(Message<Integer> started) {
      for (int i = 0; i < messages; i++) {
        vertx.eventBus().send(numbers, i);
      }
    }
  }

  static Programs.Waiting open(int senders, int messages) {
    FanIn fanIn = new FanIn(senders, messages);
    List<Future<String>> deployed = new ArrayList<>();
    deployed.add(Bus.VERTX.deployVerticle(fanIn.new Receiver()));
    for (int i = 0; i < senders; i++) {
      deployed.add(Bus.VERTX.deployVerticle(fanIn.new Sender()));
    }
    Bus.await(Future.all(deployed));
    return () -> {
      Bus.EVENTS.publish(fanIn.start, START);
      Programs.Received received = fanIn.result.get();
      deployed.forEach(verticle -> Bus.VERTX.undeploy(verticle.result()));
      return received;
    };
  }
}
