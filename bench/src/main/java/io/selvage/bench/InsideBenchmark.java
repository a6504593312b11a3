package io.selvage.bench;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an event process pays for kernel calls from inside a handler.
 *
 * <p>{@code ./selvage bench Inside}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class InsideBenchmark {
  private static final int TIMES = 10_000;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Something to be done inside a process. */
  private record Work(Consumer<Self<Work>> what, CountDownLatch done) {}

  private record Echo(long number, ReplyTo<Long> replyTo) {}

  private @Nullable Node node;
  private @Nullable Pid<Work> worker;
  private @Nullable Pid<Echo> echo;
  private @Nullable Pid<Object> sink;

  /** Called by JMH. */
  public InsideBenchmark() {}

  /** Starts the processes. */
  @Setup
  public void start() {
    Node started = Node.start(NodeOptions.defaults());
    worker =
        started.spawn((self, work) -> {
          work.what().accept(self);
          work.done().countDown();
          return Behavior.same();
        });
    echo =
        started.spawn((self, request) -> {
          request.replyTo().send(request.number());
          return Behavior.same();
        });
    sink = started.spawn((self, message) -> Behavior.same());
    node = started;
  }

  /** Ends the processes. */
  @TearDown
  public void stop() {
    if (node != null) {
      node.close();
    }
  }

  private void inside(Consumer<Self<Work>> what) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    if (worker != null) {
      worker.send(new Work(what, done));
      done.await();
    }
  }

  /**
   * Sends many messages to one process, which handles them afterwards.
   *
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void send() throws InterruptedException {
    Pid<Object> to = sink;
    if (to != null) {
      inside(self -> {
        for (int i = 0; i < TIMES; i++) {
          to.send(self);
        }
      });
    }
  }

  /**
   * Sets a timer and cancels it.
   *
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void setAndCancelTimer() throws InterruptedException {
    inside(self -> {
      Work never = new Work(_ -> {}, new CountDownLatch(1));
      for (int i = 0; i < TIMES; i++) {
        self.sendAfter(HOUR, never).cancel();
      }
    });
  }

  /**
   * Spawns an event process and ends it by its first message.
   *
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void spawnAndEnd() throws InterruptedException {
    inside(self -> {
      for (int i = 0; i < TIMES; i++) {
        self.<Integer>spawn((_, _) -> Behavior.stop()).send(i);
      }
    });
  }

  /**
   * Calls another event process and waits for its reply, which keeps a worker.
   *
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void call() throws InterruptedException {
    Pid<Echo> to = echo;
    if (to != null) {
      inside(self -> {
        for (int i = 0; i < TIMES; i++) {
          long number = i;
          to.<Long>call(replyTo -> new Echo(number, replyTo), SECOND);
        }
      });
    }
  }
}
