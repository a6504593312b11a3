package io.selvage.bench;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
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
 * The price of each layer: the same question answered by a function in a loop, by a bare process,
 * by a server, and by a state machine. Who asks is a process of the same kind as who answers, and
 * waits for each answer: an event process for the message it comes as, a direct one in the call.
 * {@link LayersPeersBenchmark} does the same with Erlang and Pekko.
 *
 * <p>{@code ./selvage bench Layers}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
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
    /** A server, which is called with a timeout that is set and cancelled. */
    SERVER_WITH_TIMEOUT,
    /** A state machine. */
    STATE_MACHINE,
    /** A direct process, called by a direct one. */
    DIRECT_PROCESS,
    /** A server on a virtual thread, called by a direct process. */
    DIRECT_SERVER,
    /** A state machine on a virtual thread, called by a direct process. */
    DIRECT_STATE_MACHINE;

    boolean isDirect() {
      return this == DIRECT_PROCESS || this == DIRECT_SERVER || this == DIRECT_STATE_MACHINE;
    }
  }

  record Question(int number, ReplyTo<Integer> replyTo) {}

  sealed interface Asking {
    record Begin(CountDownLatch done) implements Asking {}

    record Came(Outcome<Integer> outcome) implements Asking {}
  }

  /** Asks one question after the other. */
  private static final class Asker implements Behavior<Asking> {
    private final Pid<Question> other;
    private final Duration timeout;
    private CountDownLatch done = new CountDownLatch(0);
    private int left;

    Asker(Pid<Question> other, Duration timeout) {
      this.other = other;
      this.timeout = timeout;
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
          other, replyTo -> new Question(number, replyTo), timeout, Asking.Came::new);
    }
  }

  /** The same for a direct process. */
  private static void askForEver(DirectSelf<Asking> self, Pid<Question> other) {
    while (self.receive() instanceof Asking.Begin(var done)) {
      for (int left = ROUNDS; left > 0; left--) {
        int number = left;
        if (other.<Integer>call(replyTo -> new Question(number, replyTo), FOREVER) != left + 1) {
          throw new IllegalStateException("a wrong answer");
        }
      }
      done.countDown();
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
    SpawnOptions<Question> thread = SpawnOptions.<Question>defaults().onVirtualThread();
    Pid<Question> other =
        switch (layer) {
          case LOOP, PROCESS ->
              node.spawn((self, question) -> {
                question.replyTo().send(question.number() + 1);
                return Behavior.same();
              });
          case SERVER, SERVER_WITH_TIMEOUT -> Server.start(node, new Answering()).orThrow().pid();
          case STATE_MACHINE -> StateMachine.start(node, new Machine()).orThrow().pid();
          case DIRECT_PROCESS ->
              node.<Question>spawn(self -> {
                while (true) {
                  Question question = self.receive();
                  question.replyTo().send(question.number() + 1);
                }
              });
          case DIRECT_SERVER -> Server.start(node, new Answering(), thread).orThrow().pid();
          case DIRECT_STATE_MACHINE ->
              StateMachine.start(node, new Machine(), thread).orThrow().pid();
        };
    Duration timeout = layer == Layer.SERVER_WITH_TIMEOUT ? Duration.ofSeconds(5) : FOREVER;
    asker =
        layer.isDirect()
            ? node.<Asking>spawn(self -> askForEver(self, other))
            : node.spawn(new Asker(other, timeout));
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
