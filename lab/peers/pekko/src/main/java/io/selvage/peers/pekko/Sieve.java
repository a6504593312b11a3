package io.selvage.peers.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Numbers go through a pipeline of filters, each of which holds some of the primes found. */
final class Sieve {
  private static final int FIRST_PRIME = 2;

  private sealed interface Msg {
    record Candidate(int number) implements Msg {}

    /** The last message; counts the primes of the filters it has passed. */
    record Stop(long primesBefore) implements Msg {}
  }

  private record Primes(long count) {}

  private Sieve() {}

  /** The primes are in ascending order, since most numbers have a small divisor. */
  private static final class Filter {
    private final ActorContext<Msg> context;
    private final ActorRef<Primes> producer;
    private final int[] primes;
    private int size;
    private ActorRef<Msg> next;

    Filter(ActorContext<Msg> context, int first, int most, ActorRef<Primes> producer) {
      this.context = context;
      this.producer = producer;
      this.primes = new int[most];
      this.primes[0] = first;
      this.size = 1;
    }

    private Behavior<Msg> onMessage(Msg message) {
      switch (message) {
        case Msg.Candidate candidate -> {
          if (!hasDivisor(candidate.number())) {
            takeOrPass(candidate);
          }
          return Behaviors.same();
        }
        case Msg.Stop(long before) -> {
          if (next == null) {
            producer.tell(new Primes(before + size));
            return Behaviors.stopped();
          }
          next.tell(new Msg.Stop(before + size));
          // The next one is a child of this one, and would stop with it before it has read this.
          return Guardian.until(context, next);
        }
      }
    }

    private boolean hasDivisor(int number) {
      for (int i = 0; i < size; i++) {
        if (number % primes[i] == 0) {
          return true;
        }
      }
      return false;
    }

    private void takeOrPass(Msg.Candidate candidate) {
      if (size < primes.length) {
        primes[size] = candidate.number();
        size++;
      } else if (next == null) {
        next = context.spawnAnonymous(filter(candidate.number(), primes.length, producer));
      } else {
        next.tell(candidate);
      }
    }
  }

  private static Behavior<Msg> filter(int first, int most, ActorRef<Primes> producer) {
    return Behaviors.setup(context ->
        Behaviors.receiveMessage(new Filter(context, first, most, producer)::onMessage));
  }

  private static Behavior<Primes> producer(int limit, int most, CompletableFuture<Long> result) {
    return Behaviors.setup(context -> {
      ActorRef<Msg> first = context.spawnAnonymous(filter(FIRST_PRIME, most, context.getSelf()));
      for (int number = FIRST_PRIME + 1; number <= limit; number += 2) {
        first.tell(new Msg.Candidate(number));
      }
      first.tell(new Msg.Stop(0));
      return Behaviors.receiveMessage(
          primes -> Behaviors.stopped(() -> result.complete(primes.count())));
    });
  }

  static long run(int limit, int most) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(result -> producer(limit, most, result));
  }
}
