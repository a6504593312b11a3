package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.PartialActor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Two actors that send a counter to and fro. */
final class PingPong {
  private record Ping(int count, Actor<Integer, Void, Void> from) {}

  private final int rounds;
  private final CompletableFuture<Long> result = new CompletableFuture<>();
  private final Actor<Ping, Void, Void> ponger = Actors.start(this::onPing);
  private final Actor<Integer, Void, Void> pinger = Actors.start(this::onPong);
  private volatile long pinged;
  private int pingsSeen; // the ponger's
  private int pongsSeen; // the pinger's

  private PingPong(int rounds) {
    this.rounds = rounds;
  }

  private void onPing(Ping ping, PartialActor<Ping, Void> self) {
    pingsSeen++;
    if (pingsSeen == rounds) {
      pinged = pingsSeen; // before the last answer, so that the other sees it
      self.askExit();
    }
    ping.from().sendMessage(ping.count());
  }

  private void onPong(Integer pong, PartialActor<Integer, Void> self) {
    if (pong != pongsSeen) {
      result.complete(-1L);
      return;
    }
    pongsSeen++;
    if (pongsSeen < rounds) {
      ponger.sendMessage(new Ping(pongsSeen, pinger));
    } else {
      result.complete(pinged + pongsSeen);
      self.askExit();
    }
  }

  static long run(int rounds) throws InterruptedException, ExecutionException {
    PingPong pingPong = new PingPong(rounds);
    pingPong.ponger.sendMessage(new Ping(0, pingPong.pinger));
    return pingPong.result.get();
  }
}
