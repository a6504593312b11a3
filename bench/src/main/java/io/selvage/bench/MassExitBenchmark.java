package io.selvage.bench;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A parent with very many linked children is killed: how long it takes until all have ended, how
 * long a ping between two other processes takes meanwhile, and what is left on the heap.
 *
 * <p>{@code ./selvage bench MassExit -jvmArgs "-Xmx3g"}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 1, timeUnit = TimeUnit.MILLISECONDS)
public class MassExitBenchmark {
  private static final Duration BETWEEN_PINGS = Duration.ofMillis(1);

  /** What was seen beside the time. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Beside {
    /** The slowest ping of a hundred, in microseconds. */
    public long pingP99Micros;

    /** The slowest ping of all, in microseconds. */
    public long pingMaxMicros;

    /** How many pings there were. */
    public long pings;

    /** What the heap holds after all have ended, less what it held before they began, in bytes. */
    public long heapLeft;

    /** Called by JMH. */
    public Beside() {}
  }

  sealed interface Msg {
    record Spawn(int children, CountDownLatch done) implements Msg {}

    record Nothing() implements Msg {}
  }

  sealed interface Ball {
    record Serve(long due) implements Ball {}

    record Ping(long due, Pid<Ball> from) implements Ball {}

    record Pong(long due) implements Ball {}
  }

  /** Pings again and again, and keeps how long each took. */
  private static final class Pinger implements Behavior<Ball> {
    private final Pid<Ball> other;
    private volatile long[] nanos = new long[1024];
    private volatile int count;

    Pinger(Pid<Ball> other) {
      this.other = other;
    }

    @Override
    public Behavior<Ball> onMessage(Self<Ball> self, Ball message) {
      switch (message) {
        case Ball.Serve(long due) -> other.send(new Ball.Ping(due, self.pid()));
        case Ball.Pong(long due) -> {
          long now = System.nanoTime();
          keep(now - due); // from when it was due, so that a late timer counts as well
          self.sendAfter(BETWEEN_PINGS, new Ball.Serve(now + BETWEEN_PINGS.toNanos()));
        }
        case Ball.Ping _ -> throw new IllegalStateException("nobody pings the pinger");
      }
      return this;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the process alone writes
    private void keep(long took) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count] = took;
      count++;
    }

    private long[] since(int begin) {
      long[] some = Arrays.copyOfRange(nanos, begin, count);
      Arrays.sort(some);
      return some;
    }
  }

  /** How many children the parent has. */
  @Param("1000000")
  public int children;

  private @Nullable Node node;
  private @Nullable Pinger pinger;
  private @Nullable Pid<Msg> parent;
  private @Nullable Beside seen;
  private int firstPing;
  private long heapBefore;

  /** Called by JMH. */
  public MassExitBenchmark() {}

  /** Starts the two that ping each other. */
  @Setup
  public void start() {
    Node started = Node.start(NodeOptions.defaults());
    Pid<Ball> ponger =
        started.spawn((_, ball) -> {
          if (ball instanceof Ball.Ping(long due, Pid<Ball> from)) {
            from.send(new Ball.Pong(due));
          }
          return Behavior.same();
        });
    pinger = new Pinger(ponger);
    started.spawn(pinger).send(new Ball.Serve(System.nanoTime()));
    node = started;
  }

  /**
   * Starts the parent and its children.
   *
   * @throws InterruptedException if JMH gives up
   */
  @Setup(Level.Invocation)
  public void spawn() throws InterruptedException {
    heapBefore = heap();
    Pid<Msg> spawned =
        Objects.requireNonNull(node)
            .spawn((self, message) -> {
              if (message instanceof Msg.Spawn(int count, CountDownLatch done)) {
                Behavior<Msg> child = (_, _) -> Behavior.same();
                SpawnOptions<Msg> linked = SpawnOptions.<Msg>defaults().linked();
                for (int i = 0; i < count; i++) {
                  Pid<Msg> _ = self.spawn(child, linked);
                }
                done.countDown();
              }
              return Behavior.same();
            });
    CountDownLatch done = new CountDownLatch(1);
    spawned.send(new Msg.Spawn(children, done));
    done.await();
    parent = spawned;
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Ends the node. */
  @TearDown
  public void stop() {
    if (node != null) {
      node.close();
    }
  }

  /**
   * Kills the parent and waits until all have ended.
   *
   * @param beside gets what else was seen
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  public void allEnd(Beside beside) throws InterruptedException {
    Pinger pings = Objects.requireNonNull(pinger);
    int first = pings.count;
    Objects.requireNonNull(parent).kill();
    while (Objects.requireNonNull(node).stats().processes() > 2) {
      Thread.sleep(1);
    }
    seen = beside;
    firstPing = first;
  }

  /** Looks at the pings and the heap, outside of the time. */
  @TearDown(Level.Invocation)
  public void look() {
    parent = null;
    Beside beside = Objects.requireNonNull(seen);
    long[] pings = Objects.requireNonNull(pinger).since(firstPing);
    beside.pings = pings.length;
    if (pings.length > 0) {
      beside.pingP99Micros = pings[(pings.length - 1) * 99 / 100] / 1000;
      beside.pingMaxMicros = pings[pings.length - 1] / 1000;
    }
    beside.heapLeft = heap() - heapBefore;
  }
}
