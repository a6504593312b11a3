package io.selvage.bench;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.otp.FirstStep;
import io.selvage.otp.Moment;
import io.selvage.otp.Next;
import io.selvage.otp.Server;
import io.selvage.otp.StateMachine;
import io.selvage.otp.Transition;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
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
 * The price of each layer: the same question answered by a function in a loop, by a bare event
 * process, by a server, and by a state machine. The question is asked by an event process, which
 * waits for each answer.
 *
 * <p>{@code ./selvage bench Layers}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LayersBenchmark {
  private static final int ROUNDS = 100_000;
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  /** Who answers. */
  public enum Layer {
    /** A function, called in a loop. */
    LOOP,
    /** An event process. */
    PROCESS,
    /** A server. */
    SERVER,
    /** A state machine. */
    STATE_MACHINE
  }

  record Question(int number, ReplyTo<Integer> replyTo) {}

  sealed interface Asking {
    record Begin(CountDownLatch done) implements Asking {}

    record Came(Outcome<Integer> outcome) implements Asking {}
  }

  /** Asks one question after the other. */
  private static final class Asker implements Behavior<Asking> {
    private final Pid<Question> other;
    private CountDownLatch done = new CountDownLatch(0);
    private int left;

    Asker(Pid<Question> other) {
      this.other = other;
    }

    @Override
    public Behavior<Asking> onMessage(Self<Asking> self, Asking message) {
      switch (message) {
        case Asking.Begin(var latch) -> {
          done = latch;
          left = ROUNDS;
          ask(self);
        }
        case Asking.Came(var outcome) -> {
          if (outcome.orThrow() != left + 1) {
            throw new IllegalStateException("a wrong answer");
          }
          left--;
          if (left == 0) {
            done.countDown();
          } else {
            ask(self);
          }
        }
      }
      return this;
    }

    private void ask(Self<Asking> self) {
      int number = left;
      self.<Question, Integer>request(
          other, replyTo -> new Question(number, replyTo), FOREVER, Asking.Came::new);
    }
  }

  /** Answers with what it got and one more; its state counts the questions. */
  private static final class Answering implements Server<Long, Question> {
    @Override
    public FirstStep<Long, Question> init(Self<Question> self) {
      return Next.with(0L);
    }

    @Override
    public Next<Long, Question> onMessage(Self<Question> self, Long state, Question question) {
      question.replyTo().send(question.number() + 1);
      return Next.with(state + 1);
    }
  }

  /** The same as a state machine; the state stays, its data count the questions. */
  private static final class Machine implements StateMachine<String, Long, Question> {
    @Override
    public Transition<String, Long, Question> init(Moment<String, Long, Question> now) {
      return now.to("answering", 0L);
    }

    @Override
    public Transition<String, Long, Question> onEvent(
        Moment<String, Long, Question> now, String state, Long data, Question question) {
      return now.stay(data + 1).reply(question.replyTo(), question.number() + 1);
    }
  }

  /** Who answers. */
  @Param public Layer layer = Layer.LOOP;

  private final Node node = Node.start(NodeOptions.defaults());
  private final IntUnaryOperator function = Math::incrementExact;
  private Pid<Asking> asker = node.spawn((self, message) -> Behavior.stop());

  /** Constructs. */
  public LayersBenchmark() {}

  /** Starts who answers. */
  @Setup(Level.Trial)
  public void start() {
    Pid<Question> other =
        switch (layer) {
          case LOOP, PROCESS ->
              node.spawn((self, question) -> {
                question.replyTo().send(question.number() + 1);
                return Behavior.same();
              });
          case SERVER -> Server.start(node, new Answering()).orThrow().pid();
          case STATE_MACHINE -> StateMachine.start(node, new Machine()).orThrow().pid();
        };
    asker = node.spawn(new Asker(other));
  }

  /** Stops all. */
  @TearDown(Level.Trial)
  public void stop() {
    node.close();
  }

  /**
   * A question and its answer.
   *
   * @return something that depends on each answer
   * @throws InterruptedException never
   */
  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public int ask() throws InterruptedException {
    if (layer == Layer.LOOP) {
      int sum = 0;
      for (int i = 0; i < ROUNDS; i++) {
        sum ^= function.applyAsInt(sum + i);
      }
      return sum;
    }
    CountDownLatch done = new CountDownLatch(1);
    asker.send(new Asking.Begin(done));
    done.await();
    return 1;
  }
}
