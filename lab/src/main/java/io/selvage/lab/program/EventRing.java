package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The ring of event processes. */
public final class EventRing {
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

  private EventRing(int processes, int rounds) {
    this.rounds = rounds;
    this.stopped = new CountDownLatch(processes);
  }

  private final class Member implements Behavior<Msg> {
    private final boolean last;
    private @Nullable Pid<Msg> next;
    private int count;

    Member(@Nullable Pid<Msg> next) {
      this.last = next == null;
      this.next = next;
    }

    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      switch (message) {
        case Msg.Next(Pid<Msg> first) -> next = first;
        case Msg.Token token -> {
          count++;
          if (last && count == rounds) {
            ranAllRounds.countDown();
          } else {
            pass(token);
          }
        }
        case Msg.Stop stop -> {
          deliveries.add(count);
          if (!last) {
            pass(stop);
          }
          stopped.countDown();
          return Behavior.stop();
        }
      }
      return this;
    }

    private void pass(Msg message) {
      if (next == null) {
        throw new IllegalStateException("the ring is not closed");
      }
      next.send(message);
    }
  }

  private static RingMeasurement.Ring run(Node node, int processes, int rounds)
      throws InterruptedException {
    EventRing ring = new EventRing(processes, rounds);

    long start = System.nanoTime();
    Pid<Msg> last = node.spawn(ring.new Member(null));
    Pid<Msg> first = last;
    for (int i = 1; i < processes; i++) {
      first = node.spawn(ring.new Member(first));
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
   * @param args {@code processes=…}, {@code rounds=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(false)) {
            return RingMeasurement.measure(
                arguments, (processes, rounds) -> run(node, processes, rounds));
          }
        });
  }
}
