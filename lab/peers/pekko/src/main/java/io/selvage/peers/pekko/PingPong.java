package io.selvage.peers.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Two actors that send a counter to and fro. */
final class PingPong {
  private record Ping(int count, ActorRef<Pong> from) {}

  private record Pong(int count) {}

  private final int rounds;
  private final CompletableFuture<Long> result = new CompletableFuture<>();
  private volatile long pings;

  private PingPong(int rounds) {
    this.rounds = rounds;
  }

  private Behavior<Ping> ponger() {
    return Behaviors.setup(context -> {
      int[] count = {0};
      return Behaviors.receiveMessage(ping -> {
        count[0]++;
        if (count[0] == rounds) {
          pings = count[0]; // before the last answer, so that the other sees it
        }
        ping.from().tell(new Pong(ping.count()));
        return Behaviors.same();
      });
    });
  }

  private final class Pinger {
    private final ActorRef<Pong> self;
    private final ActorRef<Ping> ponger;
    private int pongs;

    Pinger(ActorContext<Pong> context) {
      this.self = context.getSelf();
      this.ponger = context.spawnAnonymous(ponger());
      ponger.tell(new Ping(0, self));
    }

    private Behavior<Pong> onPong(Pong pong) {
      if (pong.count() != pongs) {
        result.complete(-1L);
        return Behaviors.stopped();
      }
      pongs++;
      if (pongs < rounds) {
        ponger.tell(new Ping(pongs, self));
        return Behaviors.same();
      }
      result.complete(pings + pongs);
      return Behaviors.stopped();
    }
  }

  static long run(int rounds) throws InterruptedException, ExecutionException {
    PingPong pingPong = new PingPong(rounds);
    Guardian.spawn(
        Behaviors.<Pong>setup(
            context -> Behaviors.receiveMessage(pingPong.new Pinger(context)::onPong)));
    return pingPong.result.get();
  }
}
