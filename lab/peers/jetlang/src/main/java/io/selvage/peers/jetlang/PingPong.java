package io.selvage.peers.jetlang;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.fibers.Fiber;

/** Two fibers that send a counter to and fro. */
final class PingPong {
  private final int rounds;
  private final Channel<Integer> pings = new MemoryChannel<>();
  private final Channel<Integer> pongs = new MemoryChannel<>();
  private final CompletableFuture<Long> result = new CompletableFuture<>();
  private volatile long pinged;
  private int pingsSeen; // the ponger's
  private int pongsSeen; // the pinger's

  private PingPong(int rounds) {
    this.rounds = rounds;
  }

  private void onPing(int ping) {
    pingsSeen++;
    if (pingsSeen == rounds) {
      pinged = pingsSeen; // before the last answer, so that the other sees it
    }
    pongs.publish(ping);
  }

  private void onPong(int pong) {
    if (pong != pongsSeen) {
      result.complete(-1L);
      return;
    }
    pongsSeen++;
    if (pongsSeen < rounds) {
      pings.publish(pongsSeen);
    } else {
      result.complete(pinged + pongsSeen);
    }
  }

  static long run(int rounds) throws InterruptedException, ExecutionException {
    PingPong pingPong = new PingPong(rounds);
    Fiber ponger = Fibers.started();
    Fiber pinger = Fibers.started();
    pingPong.pings.subscribe(ponger, pingPong::onPing);
    pingPong.pongs.subscribe(pinger, pingPong::onPong);
    pingPong.pings.publish(0);
    long messages = pingPong.result.get();
    pinger.dispose();
    ponger.dispose();
    return messages;
  }
}
