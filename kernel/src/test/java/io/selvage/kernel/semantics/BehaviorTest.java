package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What only an event process can: answer with the behavior for the next message. */
@ParameterizedClass(name = "{0}")
@EnumSource(names = {"EVENT", "EVENT_ON_VIRTUAL_THREAD"})
class BehaviorTest extends KernelTest {
  private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

  @Parameter Kind kind;

  private Pid<String> spawn(Behavior<String> behavior) {
    SpawnOptions<String> options = SpawnOptions.defaults();
    return node.spawn(
        behavior, kind == Kind.EVENT_ON_VIRTUAL_THREAD ? options.onVirtualThread() : options);
  }

  /** Waits until this behavior has handled all that was sent before. */
  private void awaitSeen(int count) {
    Await.until(
        () -> count + " messages to be seen: " + seen, () -> seen.size() >= count, Await.LIMIT);
  }

  private record Counting(int count, CompletableFuture<Integer> result)
      implements Behavior<String> {
    @Override
    public Behavior<String> onMessage(Self<String> self, String message) {
      if (message.equals("end")) {
        result.complete(count);
        return Behavior.stop();
      }
      return new Counting(count + 1, result);
    }
  }

  @Test
  void behavior_thatBecomesAnother_keepsItsStateInIt() {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Pid<String> pid = spawn(new Counting(0, result));
    Fate fate = Fate.of(node, pid);
    for (int i = 0; i < 1_000; i++) {
      pid.send("one");
    }
    pid.send("end");
    assertThat(Await.result("the count", result)).isEqualTo(1_000);
    assertThat(fate.reason()).isEqualTo(ExitReason.normal());
  }

  @Test
  void behavior_thatAnswersSameOrItself_stays() {
    Pid<String> pid =
        spawn(
            new Behavior<>() {
              @Override
              public Behavior<String> onMessage(Self<String> self, String message) {
                seen.add(message);
                return message.equals("same") ? Behavior.same() : this;
              }
            });
    List.of("same", "this", "same", "this").forEach(pid::send);
    awaitSeen(4);
    assertThat(pid.isAlive()).isTrue();
    assertThat(seen).containsExactly("same", "this", "same", "this");
  }

  @Test
  void behavior_thatStops_endsWithTheReasonAndHandlesNoMore() {
    Reasons.all()
        .forEach(reason -> {
          CountDownLatch ready = new CountDownLatch(1);
          Pid<String> pid =
              spawn((_, message) -> {
                ready.await();
                seen.add(message);
                return Behavior.stop(reason);
              });
          Fate fate = Fate.of(node, pid);
          pid.send("first");
          pid.send("second");
          ready.countDown();
          assertThat(fate.reason()).isSameAs(reason);
        });
    assertThat(seen).hasSize((int) Reasons.all().count()).containsOnly("first");
    Await.until(
        "the unread to be counted", () -> node.stats().undelivered() == Reasons.all().count());
  }

  @Test
  void behavior_thatAnswersNull_crashes() {
    Pid<String> pid = spawn((_, _) -> null);
    Fate fate = Fate.of(node, pid);
    pid.send("go");
    assertThat(fate.reason())
        .isInstanceOfSatisfying(
            ExitReason.Crash.class,
            crash ->
                assertThat(crash.cause())
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("null"));
  }

  @Test
  void behavior_thatAnswersSetup_crashes() {
    Pid<String> pid = spawn((_, _) -> Behavior.setup(_ -> Behavior.same()));
    Fate fate = Fate.of(node, pid);
    pid.send("go");
    assertThat(fate.reason()).isInstanceOf(ExitReason.Crash.class);
  }

  @Test
  void setup_runsOnceBeforeTheFirstMessage() {
    Pid<String> pid =
        spawn(
            Behavior.setup(self -> {
              seen.add("setup");
              self.pid().send("sent in setup");
              return (_, message) -> {
                seen.add(message);
                return Behavior.same();
              };
            }));
    pid.send("sent from outside");
    awaitSeen(3);
    assertThat(seen).startsWith("setup").hasSize(3);
  }

  @Test
  void setup_withoutAnyMessage_runs() {
    Pid<String> pid =
        spawn(
            Behavior.setup(_ -> {
              seen.add("setup");
              return Behavior.stop(Reasons.DIE);
            }));
    Await.until("the end", () -> !pid.isAlive());
    assertThat(seen).containsExactly("setup");
    Await.until("the count", () -> node.stats().crashed() == 1);
  }

  @Test
  void setup_withBadAnswer_crashes() {
    List<Behavior<String>> bad =
        List.of(
            Behavior.setup(_ -> null),
            Behavior.setup(_ -> Behavior.same()),
            Behavior.setup(_ -> Behavior.setup(_ -> Behavior.stop())));
    bad.forEach(behavior -> {
      long before = node.stats().crashed();
      Pid<String> pid = spawn(behavior);
      Await.until("the end", () -> !pid.isAlive());
      Await.until("the count", () -> node.stats().crashed() == before + 1);
    });
  }

  @Test
  void spawn_withStop_endsAtOnce() {
    Pid<String> pid = spawn(Behavior.stop());
    Await.until("the end", () -> !pid.isAlive());
    Await.until("the count", () -> node.stats().ended() == 1);
    assertThat(node.stats().crashed()).isZero();
  }

  @Test
  void spawn_withSame_crashes() {
    Pid<String> pid = spawn(Behavior.same());
    pid.send("go");
    Await.until("the end", () -> !pid.isAlive());
    Await.until("the count", () -> node.stats().crashed() == 1);
  }

  @Test
  void sharedBehavior_servesManyProcesses() {
    Behavior<String> shared =
        (_, message) -> {
          seen.add(message);
          return Behavior.same();
        };
    for (int i = 0; i < 1_000; i++) {
      spawn(shared).send("to " + i);
    }
    awaitSeen(1_000);
    assertThat(seen).doesNotHaveDuplicates();
  }
}
