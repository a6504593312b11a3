package io.selvage.lab.program;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The ring of direct processes. */
public final class DirectRing {
  private sealed interface Msg {
    /** Closes the ring: the last process is told who comes after it. */
    record Next(Pid<Msg> next) implements Msg {}

    /** What goes round. */
    record Token() implements Msg {}

    /** Goes round once at the end. */
    record Stop() implements Msg {}
  }

  private static final Msg TOKEN = new Msg.Token();
  private static final Msg STOP = new Msg.Stop();

  private final int rounds;
  private final CountDownLatch ranAllRounds = new CountDownLatch(1);
  private final CountDownLatch stopped;
  private final LongAdder deliveries = new LongAdder();

  private DirectRing(int processes, int rounds) {
    this.rounds = rounds;
    this.stopped = new CountDownLatch(processes);
  }

  private void last(DirectSelf<Msg> self) {
    if (!(self.receive() instanceof Msg.Next(Pid<Msg> first))) {
      throw new IllegalStateException("the ring is not closed");
    }
    member(self, first, true);
  }

  private void member(DirectSelf<Msg> self, Pid<Msg> next, boolean last) {
    int count = 0;
    while (self.receive() instanceof Msg.Token token) {
      count++;
      if (last && count == rounds) {
        ranAllRounds.countDown();
      } else {
        next.send(token);
      }
    }
    deliveries.add(count);
    if (!last) {
      next.send(STOP);
    }
    stopped.countDown();
  }

  private Body<Msg> body(@Nullable Pid<Msg> next) {
    return next == null ? this::last : self -> member(self, next, false);
  }

  private static RingMeasurement.Ring run(Node node, int processes, int rounds)
      throws InterruptedException {
    DirectRing ring = new DirectRing(processes, rounds);

    long start = System.nanoTime();
    Pid<Msg> last = node.spawn(ring.body(null));
    Pid<Msg> first = last;
    for (int i = 1; i < processes; i++) {
      first = node.spawn(ring.body(first));
    }
    last.send(new Msg.Next(first));
    long ready = System.nanoTime();

    first.send(TOKEN);
    ring.ranAllRounds.await();
    long end = System.nanoTime();

    first.send(STOP);
    ring.stopped.await();
    return new RingMeasurement.Ring(ready - start, end - ready, ring.deliveries.sum());
  }

  /**
   * Runs the program.
   *
   * @param args {@code processes=…}, {@code rounds=…}, {@code workers=true} to run on the node's
   *     own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(arguments.flag("workers"))) {
            return RingMeasurement.measure(
                arguments, (processes, rounds) -> run(node, processes, rounds));
          }
        });
  }
}
