package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.lab.program.Report;
import org.jspecify.annotations.Nullable;

/** A producer and filters that are direct processes. */
public final class DirectSieve {
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

  private DirectSieve() {}

  private static Body<Msg> filter(int first, int most) {
    return self -> {
      Primes primes = new Primes(first, most);
      @Nullable Pid<Msg> next = null;
      while (true) {
        switch (self.receive()) {
          case Msg.Candidate candidate -> {
            int number = candidate.number();
            if (primes.divide(number)) {
              continue;
            }
            if (next != null) {
              next.send(candidate);
            } else if (primes.isFull()) {
              next = self.spawn(filter(number, most));
            } else {
              primes.add(number);
            }
          }
          case Msg.Stop(var before, var producer) -> {
            int found = before + primes.size();
            if (next == null) {
              producer.send(new Producer.Found(found));
            } else {
              next.send(new Msg.Stop(found, producer));
            }
            return;
          }
        }
      }
    };
  }

  private static Body<Producer> producer(int limit, int primes) {
    return self -> {
      Producer.Start start = self.receive(Producer.Start.class);
      Pid<Msg> first = self.spawn(filter(2, primes));
      for (int number = 3; number <= limit; number += 2) {
        first.send(new Msg.Candidate(number));
      }
      first.send(new Msg.Stop(0, self.pid()));
      start.replyTo().send(self.receive(Producer.Found.class).primes());
    };
  }

  private static int run(Node node, int limit, int primes) {
    Pid<Producer> producer = node.spawn(producer(limit, primes));
    return producer.<Integer>call(Producer.Start::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code limit=…}, {@code primes=…}, {@code workers=true} to run on the node's own
   *     workers
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
