package io.selvage.bench;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One token round a ring: what a message costs when exactly one process can run.
 *
 * <p>{@code ./selvage bench Ring}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RingBenchmark {
  private static final int MESSAGES = 100_000;

  sealed interface Msg {
    record Next(Pid<Msg> process) implements Msg {}

    record Token(int left, CountDownLatch done) implements Msg {}
  }

  private static final class Link implements Behavior<Msg> {
    private @Nullable Pid<Msg> next;

    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      next = forward(next, message);
      return this;
    }
  }

  /** What a process of the ring does with a message; answers its neighbour. */
  private static @Nullable Pid<Msg> forward(@Nullable Pid<Msg> next, Msg message) {
    return switch (message) {
      case Msg.Next(Pid<Msg> process) -> process;
      case Msg.Token(int left, CountDownLatch done) -> {
        if (left == 0 || next == null) {
          done.countDown();
        } else {
          next.send(new Msg.Token(left - 1, done));
        }
        yield next;
      }
    };
  }

  /** How many processes stand in the ring. */
  @Param({"2", "3000"})
  public int processes;

  /** Of which kind they are. */
  @Param({"event", "direct"})
  public String kind = "";

  private @Nullable Node node;
  private @Nullable Pid<Msg> first;

  /** Called by JMH. */
  public RingBenchmark() {}

  /** Builds the ring. */
  @Setup
  public void start() {
    Node started = Node.start(NodeOptions.defaults());
    Pid<Msg> head = spawn(started);
    Pid<Msg> last = head;
    for (int i = 1; i < processes; i++) {
      Pid<Msg> next = spawn(started);
      last.send(new Msg.Next(next));
      last = next;
    }
    last.send(new Msg.Next(head));
    node = started;
    first = head;
  }

  private Pid<Msg> spawn(Node started) {
    if (kind.equals("event")) {
      return started.spawn(new Link());
    }
    return started.spawn(self -> {
      Pid<Msg> next = null;
      while (true) {
        next = forward(next, self.receive());
      }
    });
  }

  /** Ends the ring. */
  @TearDown
  public void stop() {
    if (node != null) {
      node.close();
    }
  }

  /**
   * Sends the token on its way and waits for it.
   *
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public void message() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    if (first != null) {
      first.send(new Msg.Token(MESSAGES - 1, done));
      done.await();
    }
  }
}
