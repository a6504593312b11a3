package io.selvage.peers.jox;

import com.softwaremill.jox.Channel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Two virtual threads that send a counter to and fro. */
final class PingPong {
  private final int rounds;
  private final Channel<Integer> pings = Channel.newBufferedDefaultChannel();
  private final Channel<Integer> pongs = Channel.newBufferedDefaultChannel();
  private final CompletableFuture<Long> ponged = new CompletableFuture<>();
  private final CompletableFuture<Long> pinged = new CompletableFuture<>();

  private PingPong(int rounds) {
    this.rounds = rounds;
  }

  private void ponger() {
    long count = 0;
    try {
      while (pings.receiveOrClosed() instanceof Integer ping) {
        count++;
        pongs.send(ping);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the ponger", e);
    }
    pinged.complete(count);
  }

  private void pinger() {
    int count = 0;
    try {
      for (int i = 0; i < rounds; i++) {
        pings.send(i);
        if (pongs.receive() == i) {
          count++;
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the pinger", e);
    }
    pings.done();
    ponged.complete((long) count);
  }

  static long run(int rounds) throws InterruptedException, ExecutionException {
    PingPong pingPong = new PingPong(rounds);
    Thread.startVirtualThread(pingPong::ponger);
    Thread.startVirtualThread(pingPong::pinger);
    return pingPong.ponged.get() + pingPong.pinged.get();
  }
}
