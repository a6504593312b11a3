package io.selvage.bench;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * The question of {@link LayersBenchmark}, asked and answered in Erlang and by typed actors of
 * Pekko: one asks, another answers with one more, and the next question is asked when the answer
 * has come. All settings are the defaults: Erlang's schedulers, one for each core, in an operating
 * system process of its own; Pekko's dispatcher, whose pool has eight threads at least. An ask is
 * three hand-overs there (to the other, to the promise of the answer, and back), of which each may
 * wake a thread; so Pekko is measured a second time with one thread, which has nobody to wake.
 *
 * <p>What is different: an ask of Pekko always has a timeout, a timer that is set and cancelled, so
 * it stands beside the two calls with one; and its answer comes as a message, as with an event
 * process. A call of Erlang watches the other and waits in the call, as that of a direct process.
 * Where there is no {@code erl}, its rows fail with a sentence and the others go on.
 *
 * <p>{@code ./selvage bench Layers}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LayersPeersBenchmark {
  /** So few that the slowest has many invocations in each iteration. */
  private static final int ROUNDS = 10_000;

  /** Who answers. */
  public enum Layer {
    /** A process of Erlang, called by hand with what {@code gen} does: watched, and by an alias. */
    ERLANG_PROCESS,
    /** A {@code gen_server}, which is called and may take for ever. */
    GEN_SERVER,
    /** A {@code gen_server}, which is called with the timeout that is its default: 5 s. */
    GEN_SERVER_WITH_TIMEOUT,
    /** A {@code gen_statem}, which is called and may take for ever. */
    GEN_STATEM,
    /** A typed actor of Pekko, asked by {@code ActorContext.ask} with a timeout of 5 s. */
    PEKKO_ACTOR,
    /** The same, where the dispatcher has one thread, so that no answer wakes another. */
    PEKKO_ACTOR_ONE_THREAD
  }

  /** Who asks. */
  interface Peer {
    /** Asks so many questions, and returns when the last was answered. */
    void ask(int rounds) throws Exception;

    /** Ends both. */
    void stop() throws Exception;
  }

  /** Who answers. */
  @Param public Layer layer = Layer.ERLANG_PROCESS;

  private @Nullable Peer peer;

  /** Constructs. */
  public LayersPeersBenchmark() {}

  /**
   * Starts both.
   *
   * @throws Exception if there is no Erlang
   */
  @Setup(Level.Trial)
  public void start() throws Exception {
    peer =
        switch (layer) {
          case ERLANG_PROCESS -> ErlangPeer.start("bare");
          case GEN_SERVER -> ErlangPeer.start("gen_server");
          case GEN_SERVER_WITH_TIMEOUT -> ErlangPeer.start("gen_server_timeout");
          case GEN_STATEM -> ErlangPeer.start("gen_statem");
          case PEKKO_ACTOR -> new PekkoPeer(OptionalInt.empty());
          case PEKKO_ACTOR_ONE_THREAD -> new PekkoPeer(OptionalInt.of(1));
        };
  }

  /**
   * Stops both.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Trial)
  public void stop() throws Exception {
    if (peer != null) {
      peer.stop();
    }
  }

  /**
   * A question and its answer.
   *
   * @throws Exception if it fails
   */
  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void ask() throws Exception {
    if (peer != null) {
      peer.ask(ROUNDS);
    }
  }
}
