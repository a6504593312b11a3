package io.selvage.bench;

import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.otp.ChildSpec;
import io.selvage.otp.ChildTraits;
import io.selvage.otp.DynamicSpec;
import io.selvage.otp.DynamicSupervisor;
import io.selvage.otp.FirstStep;
import io.selvage.otp.Next;
import io.selvage.otp.Restart;
import io.selvage.otp.Server;
import io.selvage.otp.Supervisor;
import io.selvage.otp.SupervisorSpec;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * How long it takes until very many children of a supervisor are up: servers that have nothing to
 * do yet, each started with a handshake.
 *
 * <p>{@code ./selvage bench Children}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(3)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class ChildrenBenchmark {
  private static final ChildTraits CHILD = ChildTraits.of("child").restarting(Restart.TEMPORARY);

  record Msg(ReplyTo<Long> replyTo) {}

  /** Has nothing to do. */
  private static final class Idle implements Server<Long, Msg> {
    @Override
    public FirstStep<Long, Msg> init(Self<Msg> self) {
      return Next.with(0L);
    }

    @Override
    public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
      message.replyTo().send(state);
      return Next.with(state + 1);
    }
  }

  /** How many children there are. */
  @Param("100000")
  public int children;

  private @Nullable Node node;

  /** Constructs. */
  public ChildrenBenchmark() {}

  /** Starts a node. */
  @Setup(Level.Invocation)
  public void start() {
    node = Node.start(NodeOptions.defaults());
  }

  /** Ends it, and all on it. */
  @TearDown(Level.Invocation)
  public void stop() {
    Objects.requireNonNull(node).close();
  }

  /**
   * They are the specification of a supervisor, which starts them itself.
   *
   * @return the supervisor
   */
  @Benchmark
  public Supervisor specified() {
    ChildSpec<?, ?>[] specs = new ChildSpec<?, ?>[children];
    for (int i = 0; i < children; i++) {
      specs[i] = ChildSpec.of("child " + i, Server.of(new Idle()));
    }
    return Supervisor.start(Objects.requireNonNull(node), SupervisorSpec.oneForOne(specs))
        .orThrow()
        .value();
  }

  /**
   * A process asks a dynamic supervisor for one after the other.
   *
   * @return the supervisor
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  public DynamicSupervisor askedFor() throws InterruptedException {
    Node here = Objects.requireNonNull(node);
    DynamicSupervisor supervisor =
        DynamicSupervisor.start(here, DynamicSpec.defaults()).orThrow().value();
    CountDownLatch done = new CountDownLatch(1);
    here.spawn(self -> {
      for (int i = 0; i < children; i++) {
        supervisor
            .startChild(ChildSpec.of(CHILD, Server.of(new Idle()), SpawnOptions.defaults()))
            .orThrow();
      }
      done.countDown();
    });
    done.await();
    return supervisor;
  }
}
