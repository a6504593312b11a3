package io.selvage.peers.kilim;

import io.selvage.peers.Programs.RingRun;
import io.selvage.peers.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import kilim.Mailbox;
import kilim.Pausable;
import kilim.Task;

/** One token round a ring of tasks. */
final class Ring {
  private static final Integer TOKEN = 1;
  private static final Integer STOP = 0;

  final int rounds;
  final CompletableFuture<Long> ranAllRounds = new CompletableFuture<>();
  final Tally deliveries = new Tally();
  final Tally stopped = new Tally();

  private Ring(int rounds) {
    this.rounds = rounds;
  }

  private static final class Member extends Task<Void> {
    private final Ring ring;
    private final Mailbox<Integer> mailbox;
    private final Mailbox<Integer> next;
    private final boolean last;

    Member(Ring ring, Mailbox<Integer> mailbox, Mailbox<Integer> next, boolean last) {
      this.ring = ring;
      this.mailbox = mailbox;
      this.next = next;
      this.last = last;
    }

    @Override
    public void execute() throws Pausable {
      int count = 0;
      while (mailbox.get() == TOKEN) {
        count++;
        if (last && count == ring.rounds) {
          ring.ranAllRounds.complete(System.nanoTime());
        } else {
          next.put(TOKEN);
        }
      }
      ring.deliveries.add(count);
      if (!last) {
        next.put(STOP);
      }
      ring.stopped.increment();
    }
  }

  static RingRun run(int processes, int rounds) throws InterruptedException, ExecutionException {
    Ring ring = new Ring(rounds);

    long start = System.nanoTime();
    Mailbox<Integer> first = new Mailbox<>();
    Mailbox<Integer> mailbox = first;
    for (int i = 1; i < processes; i++) {
      Mailbox<Integer> next = new Mailbox<>();
      new Member(ring, mailbox, next, false).start();
      mailbox = next;
    }
    new Member(ring, mailbox, first, true).start();
    long ready = System.nanoTime();

    first.putb(TOKEN);
    long end = ring.ranAllRounds.get();

    first.putb(STOP);
    ring.stopped.await(processes);
    return new RingRun(ready - start, end - ready, ring.deliveries.sum());
  }
}
