package io.selvage.peers.vertx;

import io.selvage.peers.Programs.RingRun;
import io.selvage.peers.Tally;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One token round a ring of verticles. */
final class Ring {
  private static final Integer TOKEN = 1;
  private static final Integer STOP = 0;

  private final int rounds;
  private final CompletableFuture<Long> ranAllRounds = new CompletableFuture<>();
  private final Tally deliveries = new Tally();
  private final Tally stopped = new Tally();

  private Ring(int rounds) {
    this.rounds = rounds;
  }

  private final class Member extends VerticleBase {
    private final String address;
    private final String next;
    private final boolean last;
    private int count;

    Member(String address, String next, boolean last) {
      this.address = address;
      this.next = next;
      this.last = last;
    }

    @Override
    public Future<?> start() {
      return vertx.eventBus().localConsumer(address, this::onMessage).completion();
    }

    private void onMessage(Message<Integer> message) {
      if (message.body().equals(TOKEN)) {
        count++;
        if (last && count == rounds) {
          ranAllRounds.complete(System.nanoTime());
        } else {
          vertx.eventBus().send(next, TOKEN);
        }
      } else {
        deliveries.add(count);
        if (!last) {
          vertx.eventBus().send(next, STOP);
        }
        vertx.undeploy(deploymentID()).onComplete(done -> stopped.increment());
      }
    }
  }

  static RingRun run(int processes, int rounds) throws InterruptedException, ExecutionException {
    Ring ring = new Ring(rounds);
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      addresses.add(Bus.address());
    }

    long start = System.nanoTime();
    List<Future<String>> members = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      boolean last = i == processes - 1;
      Member member = ring.new Member(addresses.get(i), addresses.get(last ? 0 : i + 1), last);
      members.add(Bus.VERTX.deployVerticle(member));
    }
    Bus.await(Future.all(members));
    long ready = System.nanoTime();

    Bus.EVENTS.send(addresses.get(0), TOKEN);
    long end = ring.ranAllRounds.get();

    Bus.EVENTS.send(addresses.get(0), STOP);
    ring.stopped.await(processes);
    return new RingRun(ready - start, end - ready, ring.deliveries.sum());
  }
}
