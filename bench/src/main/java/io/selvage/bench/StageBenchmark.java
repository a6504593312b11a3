package io.selvage.bench;

import io.selvage.channel.stage.Pipeline;
import io.selvage.channel.stage.Stage;
import io.selvage.kernel.Node;
import java.util.Objects;
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
 * What it costs to send an item through three stages: a source, a function, a sink.
 *
 * <p>{@code ./selvage bench Stage}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StageBenchmark {
  private static final int ITEMS = 1_000_000;

  /** What runs the stages. */
  public enum Form {
    /** Event processes. */
    EVENT,
    /** Virtual threads. */
    VIRTUAL_THREAD
  }

  /** What runs the stages. */
  @Param public Form form = Form.EVENT;

  /** How many items a stage asks for at most; again, when half of them are left. */
  @Param({"10", "100", "1000"})
  public int demand;

  private @Nullable Node started;

  /** With JMH's defaults. */
  public StageBenchmark() {}

  /** Starts the node. */
  @Setup
  public void start() {
    started = Node.start();
  }

  /** Closes it. */
  @TearDown
  public void close() {
    node().close();
  }

  private Node node() {
    return Objects.requireNonNull(started, "JMH calls start first");
  }

  /** One source that counts up. */
  private static final class Counting {
    private int next;

    @Nullable Integer next() {
      return next < ITEMS ? next++ : null;
    }
  }

  /**
   * An item through three stages.
   *
   * @throws InterruptedException if the run is aborted
   */
  @Benchmark
  @OperationsPerInvocation(ITEMS)
  public void threeStages() throws InterruptedException {
    CountDownLatch last = new CountDownLatch(1);
    Counting counting = new Counting();
    Pipeline.Complete pipeline =
        Pipeline.from(Stage.<Integer>generating(counting::next))
            .demanding(demand / 2, demand)
            .via(Stage.<Integer, Integer>through(i -> i + 1))
            .to(
                Stage.<Integer>sink(i -> {
                  if (i == ITEMS) {
                    last.countDown();
                  }
                }));
    var _ = form == Form.EVENT ? pipeline.start(node()) : pipeline.startOnVirtualThreads(node());
    last.await();
  }
}
