package io.selvage.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Two typed actors of Pekko, of which one asks the other. */
final class PekkoPeer implements LayersPeersBenchmark.Peer {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private record Question(int number, ActorRef<Integer> replyTo) {}

  private sealed interface Asking {
    record Begin(int rounds, CountDownLatch done) implements Asking {}

    record Came(@Nullable Integer answer, @Nullable Throwable failure) implements Asking {}
  }

  /** Asks one question after the other. */
  private static final class Asker {
    private final ActorContext<Asking> context;
    private final ActorRef<Question> other;
    private CountDownLatch done = new CountDownLatch(0);
    private int left;

    Asker(ActorContext<Asking> context, ActorRef<Question> other) {
      this.context = context;
      this.other = other;
    }

    Behavior<Asking> onMessage(Asking message) {
      switch (message) {
        case Asking.Begin(int rounds, CountDownLatch latch) -> {
          done = latch;
          left = rounds;
          ask();
        }
        case Asking.Came(Integer answer, _) -> {
          if (answer == null || answer != left + 1) {
            throw new IllegalStateException("a wrong answer");
          }
          left--;
          if (left == 0) {
            done.countDown();
          } else {
            ask();
          }
        }
      }
      return Behaviors.same();
    }

    private void ask() {
      int number = left;
      context.<Question, Integer>ask(
          Integer.class,
          other,
          TIMEOUT,
          replyTo -> new Question(number, replyTo),
          Asking.Came::new);
    }
  }

  private final ActorSystem<Asking> system;

  /**
   * Starts both.
   *
   * @param threads how many threads the default dispatcher has, or empty for its default
   */
  PekkoPeer(OptionalInt threads) {
    Config defaults = ConfigFactory.load();
    system =
        ActorSystem.create(
            Behaviors.<Asking>setup(context -> {
              Asker asker = new Asker(context, context.spawnAnonymous(answering(0)));
              return Behaviors.receiveMessage(asker::onMessage);
            }),
            "layers",
            threads.isEmpty() ? defaults : withThreads(threads.getAsInt(), defaults));
  }

  private static Config withThreads(int threads, Config defaults) {
    return ConfigFactory.parseString(
            "pekko.actor.default-dispatcher.fork-join-executor { parallelism-min = %d,"
                    .formatted(threads)
                + " parallelism-max = %d }".formatted(threads))
        .withFallback(defaults);
  }

  /** Answers with what it got and one more; its state counts the questions. */
  private static Behavior<Question> answering(long count) {
    return Behaviors.receiveMessage(question -> {
      question.replyTo().tell(question.number() + 1);
      return answering(count + 1);
    });
  }

  @Override
  public void ask(int rounds) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    system.tell(new Asking.Begin(rounds, done));
    if (!done.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the answers did not come: one of the actors has failed");
    }
  }

  @Override
  public void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get();
  }
}
