package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.selvage.kernel.Body;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What only a direct process can: receive where it stands, with a timeout. */
@ParameterizedClass(name = "{0}")
@EnumSource(names = {"DIRECT", "DIRECT_ON_PLATFORM_THREAD", "DIRECT_ON_WORKERS"})
class ReceiveTest extends KernelTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final ManualClock clock = new ManualClock();

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  private Pid<String> spawn(Body<String> body) {
    SpawnOptions<String> options = SpawnOptions.defaults();
    return node.spawn(
        body, kind == Kind.DIRECT_ON_PLATFORM_THREAD ? options.onPlatformThread() : options);
  }

  // D38
  @Test
  void receive_withZero_takesWhatIsThereAndDoesNotWait() {
    CompletableFuture<List<String>> got = new CompletableFuture<>();
    Pid<String> pid =
        spawn(self -> {
          List<String> all = new ArrayList<>();
          all.add(self.receive());
          self.pid().send("mine");
          all.add(self.receive(Duration.ZERO));
          all.add(self.receive(Duration.ZERO));
          got.complete(all);
        });
    pid.send("first");
    assertThat(Await.result("what was got", got)).containsExactly("first", "mine", null);
  }

  // D39
  @Test
  void receive_withTimeout_answersNullWhenTheTimeHasCome() {
    CompletableFuture<Boolean> timedOut = new CompletableFuture<>();
    Pid<String> _ = spawn(self -> timedOut.complete(self.receive(Duration.ofSeconds(10)) == null));
    Await.until("the timer to be set", () -> node.stats().timers() == 1);
    clock.advance(Duration.ofSeconds(9));
    assertThat(timedOut).isNotDone();
    clock.advance(Duration.ofSeconds(2));
    assertThat(Await.result("the timeout", timedOut)).isTrue();
    Await.until("the timer to be released", () -> node.stats().timers() == 0);
  }

  @Test
  void receive_withTimeout_takesMessageThatComesInTime() {
    CompletableFuture<List<String>> got = new CompletableFuture<>();
    Pid<String> pid =
        spawn(self -> {
          List<String> all = new ArrayList<>();
          all.add(self.receive(Duration.ofSeconds(10)));
          all.add(self.receive(FOREVER));
          all.add(self.receive(Duration.ofSeconds(10)));
          got.complete(all);
        });
    Await.until("the timer to be set", () -> node.stats().timers() == 1);
    pid.send("in time");
    pid.send("also");
    Await.until("the second timer to be set", () -> node.stats().timers() == 1);
    Await.until(
        "the second timeout",
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return got.isDone();
        });
    assertThat(got.join()).containsExactly("in time", "also", null);
    Await.until("no timer to be left", () -> node.stats().timers() == 0);
  }

  // D39
  @Test
  void receive_forever_waitsForEver() {
    CompletableFuture<String> got = new CompletableFuture<>();
    Pid<String> pid = spawn(self -> got.complete(self.receive(FOREVER)));
    for (int i = 0; i < 100; i++) {
      clock.advance(Duration.ofDays(365));
    }
    assertThat(got).isNotDone();
    pid.send("at last");
    assertThat(Await.result("the message", got)).isEqualTo("at last");
  }

  // D39
  @Test
  void receive_withNegativeTimeout_isRefused() {
    CompletableFuture<String> after = new CompletableFuture<>();
    Pid<String> _ =
        spawn(self -> {
          self.pid().send("still there");
          assertThatIllegalArgumentException().isThrownBy(() -> self.receive(Duration.ofNanos(-1)));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> self.receive(Duration.ofSeconds(Long.MIN_VALUE)));
          after.complete(self.receive(Duration.ZERO));
        });
    assertThat(Await.result("the message", after)).isEqualTo("still there");
  }

  @Test
  void receive_whileExitSignalComes_ends() {
    Pid<String> waiting = spawn(self -> self.receive());
    Pid<String> waitingLong = spawn(self -> self.receive(Duration.ofHours(1)));
    Fate one = Fate.of(node, waiting);
    Fate two = Fate.of(node, waitingLong);
    Await.until("the timer to be set", () -> node.stats().timers() == 1);
    waiting.exit(Reasons.DIE);
    waitingLong.exit(Reasons.DIE);
    assertThat(one.reason()).isEqualTo(Reasons.DIE);
    assertThat(two.reason()).isEqualTo(Reasons.DIE);
    Await.until("the timer to be released", () -> node.stats().timers() == 0);
  }

  @Test
  void receive_onInterruptedThread_stillWaitsAndReceives() {
    CompletableFuture<String> got = new CompletableFuture<>();
    CountDownLatch about = new CountDownLatch(1);
    Pid<String> pid =
        spawn(self -> {
          Thread.currentThread().interrupt();
          about.countDown();
          got.complete(self.receive());
        });
    Await.until("the process to begin", () -> about.getCount() == 0);
    pid.send("came");
    assertThat(Await.result("the message", got)).isEqualTo("came");
  }

  @Test
  void receive_manyTimeoutsAgainstMessages_neitherIsLost() {
    int rounds = 2_000;
    CompletableFuture<Integer> received = new CompletableFuture<>();
    Pid<String> receiver =
        spawn(self -> {
          int messages = 0;
          while (messages < rounds) {
            if (self.receive(Duration.ofMillis(1)) != null) {
              messages++;
            }
          }
          received.complete(messages);
        });
    for (int i = 0; i < rounds; i++) {
      clock.advance(Duration.ofMillis(1));
      receiver.send("message");
    }
    Await.until(
        "all messages",
        () -> {
          clock.advance(Duration.ofMillis(1));
          return received.isDone();
        });
    assertThat(received.join()).isEqualTo(rounds);
  }

  @Test
  void body_thatReturns_endsNormally() {
    Pid<String> pid = spawn(self -> self.receive());
    Fate fate = Fate.of(node, pid);
    pid.send("go");
    assertThat(fate.reason()).isEqualTo(ExitReason.normal());
  }
}
