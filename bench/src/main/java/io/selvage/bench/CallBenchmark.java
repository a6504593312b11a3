package io.selvage.bench;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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
 * What an asynchronous call with its reply costs between two event processes, beside two plain
 * messages there and back.
 *
 * <p>{@code ./selvage bench Call}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallBenchmark {
  private static final int ROUNDS = 100_000;

  /** How the two talk. */
  public enum Way {
    /** Two messages, there and back. */
    SENDS,
    /** A call that waits for ever. */
    CALL,
    /** A call with a timeout, which is set and cancelled. */
    CALL_WITH_TIMEOUT
  }

  sealed interface Question {
    record Told(int number, Pid<Asking> from) implements Question {}

    record Called(int number, ReplyTo<Integer> replyTo) implements Question {}
  }

  sealed interface Asking {
    record Begin(int rounds, CountDownLatch done) implements Asking {}

    record Answer(int number) implements Asking {}

    record Came(Outcome<Integer> outcome) implements Asking {}
  }

  /** Asks one question after the other. */
  private static final class Asker implements Behavior<Asking> {
    private final Pid<Question> other;
    private final Way way;
    private @Nullable CountDownLatch done;

    Asker(Pid<Question> other, Way way) {
      this.other = other;
      this.way = way;
    }

    @Override
    public Behavior<Asking> onMessage(Self<Asking> self, Asking message) {
      switch (message) {
        case Asking.Begin(int rounds, CountDownLatch latch) -> {
          done = latch;
          ask(self, rounds);
        }
        case Asking.Answer(int number) -> next(self, number);
        case Asking.Came(Outcome<Integer> outcome) -> next(self, outcome.orThrow());
      }
      return this;
    }

    private void next(Self<Asking> self, int number) {
      if (number == 0) {
        Objects.requireNonNull(done).countDown();
      } else {
        ask(self, number);
      }
    }

    private void ask(Self<Asking> self, int number) {
      switch (way) {
        case SENDS -> other.send(new Question.Told(number, self.pid()));
        case CALL -> request(self, number, ChronoUnit.FOREVER.getDuration());
        case CALL_WITH_TIMEOUT -> request(self, number, Duration.ofSeconds(5));
      }
    }

    private void request(Self<Asking> self, int number, Duration timeout) {
      self.<Question, Integer>request(
          other, replyTo -> new Question.Called(number, replyTo), timeout, Asking.Came::new);
    }
  }

  /** How the two talk. */
  @Param public Way way = Way.SENDS;

  private @Nullable Node node;
  private @Nullable Pid<Asking> asker;

  /** Called by JMH. */
  public CallBenchmark() {}

  /** Starts the two. */
  @Setup
  public void start() {
    Node started = Node.start(NodeOptions.defaults());
    Pid<Question> answers =
        started.spawn((_, question) -> {
          switch (question) {
            case Question.Told(int number, Pid<Asking> from) ->
                from.send(new Asking.Answer(number - 1));
            case Question.Called(int number, ReplyTo<Integer> replyTo) -> replyTo.send(number - 1);
          }
          return Behavior.same();
        });
    asker = started.spawn(new Asker(answers, way));
    node = started;
  }

  /** Ends the node. */
  @TearDown
  public void stop() {
    if (node != null) {
      node.close();
    }
  }

  /**
   * One question and its answer.
   *
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void questionAndAnswer() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Objects.requireNonNull(asker).send(new Asking.Begin(ROUNDS, done));
    done.await();
  }
}
