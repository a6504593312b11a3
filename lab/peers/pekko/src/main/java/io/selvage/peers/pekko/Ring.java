package io.selvage.peers.pekko;

import io.selvage.peers.Programs.RingRun;
import io.selvage.peers.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** One token round a ring of actors. */
final class Ring {
  private sealed interface Msg {
    /** Closes the ring: the last member is told who comes after it. */
    record Next(ActorRef<Msg> next) implements Msg {}

    enum Signal implements Msg {
      /** What goes round. */
      TOKEN,
      /** Goes round once at the end. */
      STOP
    }
  }

  private final int processes;
  private final int rounds;
  private final CompletableFuture<Long> ready = new CompletableFuture<>();
  private final CompletableFuture<Long> ranAllRounds = new CompletableFuture<>();
  private final CompletableFuture<ActorRef<Msg>> firstMember = new CompletableFuture<>();
  private final Tally deliveries = new Tally();
  private final Tally stopped = new Tally();

  private Ring(int processes, int rounds) {
    this.processes = processes;
    this.rounds = rounds;
  }

  private final class Member {
    private final boolean last;
    private ActorRef<Msg> next;
    private int count;

    Member(ActorRef<Msg> next) {
      this.last = next == null;
      this.next = next;
    }

    Behavior<Msg> behavior() {
      return Behaviors.receiveMessage(this::onMessage);
    }

    private Behavior<Msg> onMessage(Msg message) {
      switch (message) {
        case Msg.Next(ActorRef<Msg> first) -> next = first;
        case Msg.Signal.TOKEN -> {
          count++;
          if (last && count == rounds) {
            ranAllRounds.complete(System.nanoTime());
          } else {
            next.tell(message);
          }
        }
        case Msg.Signal.STOP -> {
          deliveries.add(count);
          if (!last) {
            next.tell(message);
          }
          return Behaviors.stopped(stopped::increment);
        }
      }
      return Behaviors.same();
    }
  }

  private Behavior<Void> parent(long start) {
    return Behaviors.setup(context -> {
      ActorRef<Msg> last = context.spawnAnonymous(new Member(null).behavior());
      ActorRef<Msg> first = last;
      for (int i = 1; i < processes; i++) {
        first = context.spawnAnonymous(new Member(first).behavior());
      }
      last.tell(new Msg.Next(first));
      ready.complete(System.nanoTime() - start);
      firstMember.complete(first);
      return Guardian.until(context, last);
    });
  }

  static RingRun run(int processes, int rounds) throws InterruptedException, ExecutionException {
    Ring ring = new Ring(processes, rounds);
    long start = System.nanoTime();
    Guardian.spawn(ring.parent(start));
    long setup = ring.ready.get();
    ActorRef<Msg> first = ring.firstMember.get();

    long sent = System.nanoTime();
    first.tell(Msg.Signal.TOKEN);
    long run = ring.ranAllRounds.get() - sent;

    first.tell(Msg.Signal.STOP);
    ring.stopped.await(processes);
    return new RingRun(setup, run, ring.deliveries.sum());
  }
}
