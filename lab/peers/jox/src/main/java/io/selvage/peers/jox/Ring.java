package io.selvage.peers.jox;

import com.softwaremill.jox.Channel;
import io.selvage.peers.Programs.RingRun;
import io.selvage.peers.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One token round a ring of virtual threads. A channel that is done goes round once at the end. */
final class Ring {
  private enum Msg {
    TOKEN
  }

  private final int rounds;
  private final CompletableFuture<Long> ranAllRounds = new CompletableFuture<>();
  private final Tally deliveries = new Tally();
  private final Tally stopped = new Tally();

  private Ring(int rounds) {
    this.rounds = rounds;
  }

  private void member(Channel<Msg> mailbox, Channel<Msg> next, boolean last) {
    int count = 0;
    try {
      while (mailbox.receiveOrClosed() instanceof Msg token) {
        count++;
        if (last && count == rounds) {
          ranAllRounds.complete(System.nanoTime());
        } else {
          next.send(token);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a member of the ring", e);
    }
    deliveries.add(count);
    if (!last) {
      next.done();
    }
    stopped.increment();
  }

  static RingRun run(int processes, int rounds) throws InterruptedException, ExecutionException {
    Ring ring = new Ring(rounds);

    long start = System.nanoTime();
    Channel<Msg> first = Channel.newBufferedDefaultChannel();
    Channel<Msg> mailbox = first;
    for (int i = 1; i < processes; i++) {
      Channel<Msg> mine = mailbox;
      Channel<Msg> next = Channel.newBufferedDefaultChannel();
      Thread.startVirtualThread(() -> ring.member(mine, next, false));
      mailbox = next;
    }
    Channel<Msg> ofLast = mailbox;
    Thread.startVirtualThread(() -> ring.member(ofLast, first, true));
    long ready = System.nanoTime();

    first.send(Msg.TOKEN);
    long end = ring.ranAllRounds.get();

    first.done();
    ring.stopped.await(processes);
    return new RingRun(ready - start, end - ready, ring.deliveries.sum());
  }
}
