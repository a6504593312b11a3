package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Report;
import org.jspecify.annotations.Nullable;

/** A producer and filters that are event processes. */
public final class EventSieve {
  private sealed interface Msg {
    record Candidate(int number) implements Msg {}

    /** There are no more; the filters before hold that many primes. */
    record Stop(int primes, Pid<Producer> producer) implements Msg {}
  }

  private sealed interface Producer {
    record Start(ReplyTo<Integer> replyTo) implements Producer {}

    /** The last filter has stopped. */
    record Found(int primes) implements Producer {}
  }

  private EventSieve() {}

  private static final class Filter implements Behavior<Msg> {
    private final Primes primes;
    private final int most;
    private @Nullable Pid<Msg> next;

    Filter(int first, int most) {
      this.primes = new Primes(first, most);
      this.most = most;
    }

    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      switch (message) {
        case Msg.Candidate candidate -> {
          if (!primes.divide(candidate.number)) {
            pass(self, candidate);
          }
        }
        case Msg.Stop(var before, var producer) -> {
          int found = before + primes.size();
          if (next == null) {
            producer.send(new Producer.Found(found));
          } else {
            next.send(new Msg.Stop(found, producer));
          }
          return Behavior.stop();
        }
      }
      return this;
    }

    private void pass(Self<Msg> self, Msg.Candidate candidate) {
      if (next != null) {
        next.send(candidate);
      } else if (primes.isFull()) {
        next = self.spawn(new Filter(candidate.number, most));
      } else {
        primes.add(candidate.number);
      }
    }
  }

  /** Sends all numbers at once, and waits for the end of the last filter. */
  private record Starting(int limit, int primes) implements Behavior<Producer> {
    @Override
    public Behavior<Producer> onMessage(Self<Producer> self, Producer message) {
      if (!(message instanceof Producer.Start(var replyTo))) {
        throw new IllegalStateException("there are no filters, but there is " + message);
      }
      Pid<Msg> first = self.spawn(new Filter(2, primes));
      for (int number = 3; number <= limit; number += 2) {
        first.send(new Msg.Candidate(number));
      }
      first.send(new Msg.Stop(0, self.pid()));
      return (_, found) -> found(found, replyTo);
    }

    private static Behavior<Producer> found(Producer message, ReplyTo<Integer> replyTo) {
      if (message instanceof Producer.Found(var found)) {
        replyTo.send(found);
      }
      return Behavior.stop();
    }
  }

  private static int run(Node node, int limit, int primes) {
    Pid<Producer> producer = node.spawn(new Starting(limit, primes));
    return producer.<Integer>call(Producer.Start::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code limit=…}, {@code primes=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int limit = arguments.count("limit");
          int primes = arguments.count("primes");
          return Measurement.onNode(
              arguments, "primes", Expected.primes(limit), node -> run(node, limit, primes));
        });
  }
}
