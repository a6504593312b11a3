package io.selvage.peers.jetlang;

import io.selvage.peers.Programs.RingRun;
import io.selvage.peers.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.fibers.Fiber;

/** One token round a ring of fibers, each with a channel that it alone listens to. */
final class Ring {
  private enum Msg {
    TOKEN,
    STOP
  }

  private final int rounds;
  private final CompletableFuture<Long> ranAllRounds = new CompletableFuture<>();
  private final Tally deliveries = new Tally();
  private final Tally stopped = new Tally();

  private Ring(int rounds) {
    this.rounds = rounds;
  }

  private final class Member {
    private final Fiber fiber = Fibers.started();
    private final Channel<Msg> next;
    private final boolean last;
    private int count;

    Member(Channel<Msg> mailbox, Channel<Msg> next, boolean last) {
      this.next = next;
      this.last = last;
      mailbox.subscribe(fiber, this::onMessage);
    }

    private void onMessage(Msg message) {
      if (message == Msg.TOKEN) {
        count++;
        if (last && count == rounds) {
          ranAllRounds.complete(System.nanoTime());
        } else {
          next.publish(message);
        }
      } else {
        deliveries.add(count);
        if (!last) {
          next.publish(message);
        }
        fiber.dispose();
        stopped.increment();
      }
    }
  }

  static RingRun run(int processes, int rounds) throws InterruptedException, ExecutionException {
    Ring ring = new Ring(rounds);

    long start = System.nanoTime();
    Channel<Msg> first = new MemoryChannel<>();
    Channel<Msg> mailbox = first;
    for (int i = 1; i < processes; i++) {
      Channel<Msg> next = new MemoryChannel<>();
      ring.new Member(mailbox, next, false);
      mailbox = next;
    }
    ring.new Member(mailbox, first, true);
    long ready = System.nanoTime();

    first.publish(Msg.TOKEN);
    long end = ring.ranAllRounds.get();

    first.publish(Msg.STOP);
    ring.stopped.await(processes);
    return new RingRun(ready - start, end - ready, ring.deliveries.sum());
  }
}
