package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.PartialActor;
import io.selvage.peers.Programs.RingRun;
import io.selvage.peers.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One token round a ring of actors. */
final class Ring {
  private sealed interface Msg {
    /** Closes the ring: the last member is told who comes after it. */
    record Next(Actor<Msg, Void, Void> next) implements Msg {}

    enum Signal implements Msg {
      /** What goes round. */
      TOKEN,
      /** Goes round once at the end. */
      STOP
    }
  }

  private final int rounds;
  private final CompletableFuture<Long> ranAllRounds = new CompletableFuture<>();
  private final Tally deliveries = new Tally();
  private final Tally stopped = new Tally();

  private Ring(int rounds) {
    this.rounds = rounds;
  }

  private final class Member {
    private final boolean last;
    private Actor<Msg, Void, Void> next;
    private int count;

    Member(Actor<Msg, Void, Void> next) {
      this.last = next == null;
      this.next = next;
    }

    private void onMessage(Msg message, PartialActor<Msg, Void> self) {
      switch (message) {
        case Msg.Next(Actor<Msg, Void, Void> first) -> next = first;
        case Msg.Signal.TOKEN -> {
          count++;
          if (last && count == rounds) {
            ranAllRounds.complete(System.nanoTime());
          } else {
            next.sendMessage(message);
          }
        }
        case Msg.Signal.STOP -> {
          deliveries.add(count);
          if (!last) {
            next.sendMessage(message);
          }
          self.askExit();
          stopped.increment();
        }
      }
    }
  }

  private Actor<Msg, Void, Void> member(Actor<Msg, Void, Void> next) {
    return Actors.start(new Member(next)::onMessage);
  }

  static RingRun run(int processes, int rounds) throws InterruptedException, ExecutionException {
    Ring ring = new Ring(rounds);

    long start = System.nanoTime();
    Actor<Msg, Void, Void> last = ring.member(null);
    Actor<Msg, Void, Void> first = last;
    for (int i = 1; i < processes; i++) {
      first = ring.member(first);
    }
    last.sendMessage(new Msg.Next(first));
    long ready = System.nanoTime();

    first.sendMessage(Msg.Signal.TOKEN);
    long end = ring.ranAllRounds.get();

    first.sendMessage(Msg.Signal.STOP);
    ring.stopped.await(processes);
    return new RingRun(ready - start, end - ready, ring.deliveries.sum());
  }
}
