package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.RequestRef;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Trace;
import io.selvage.kernel.TraceEvent;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What takes messages out of turn, used together: selective receive, stash, priority messages,
 * asynchronous calls; with traces on. The order is right, and every message is accounted for.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(names = {"DIRECT", "DIRECT_ON_PLATFORM_THREAD", "DIRECT_ON_WORKERS"})
class InterplayTest extends KernelTest {
  private static final Duration SECOND = Duration.ofSeconds(10);

  private sealed interface Letter {}

  private record Plain(int number) implements Letter {}

  private record Urgent(int number) implements Letter {}

  private record Came(Outcome<Integer> outcome) implements Letter {}

  private record Ask(ReplyTo<Integer> replyTo) {}

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  private interface Job<T> {
    T run(DirectSelf<Letter> self) throws Exception;
  }

  private Pid<Letter> spawn(Body<Letter> body) {
    SpawnOptions<Letter> options = SpawnOptions.defaults();
    return node.spawn(
        body, kind == Kind.DIRECT_ON_PLATFORM_THREAD ? options.onPlatformThread() : options);
  }

  private <T> T in(Job<T> job) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Pid<Letter> _ =
        spawn(self -> {
          try {
            result.complete(job.run(self));
          } catch (Throwable t) { // the test is told
            result.completeExceptionally(t);
          }
        });
    return Await.result("the job", result);
  }

  private static Alias<Integer> urgent(DirectSelf<Letter> self) {
    return self.alias(AliasOptions.defaults().withPriority(), Urgent::new);
  }

  private static List<Letter> drain(DirectSelf<Letter> self) {
    List<Letter> all = new ArrayList<>();
    for (Letter l = self.receive(Duration.ZERO); l != null; l = self.receive(Duration.ZERO)) {
      all.add(l);
    }
    return all;
  }

  private ProcessInfo info(DirectSelf<Letter> self) {
    return node.info(self.pid()).orElseThrow();
  }

  @Test
  void priority_thatComesWhileASelectiveReceiveSkips_isLookedAtAndComesFirst() {
    List<Letter> order =
        in(self -> {
          Alias<Integer> alias = urgent(self);
          for (int i = 1; i <= 3; i++) {
            self.pid().send(new Plain(i));
          }
          List<Letter> all = new ArrayList<>();
          // In the middle of the scan two priority messages come, in front of what was skipped.
          all.add(
              self.receive(letter -> {
                if (letter.equals(new Plain(2))) {
                  alias.sendPriority(1);
                  alias.sendPriority(2);
                }
                return letter instanceof Urgent;
              }));
          self.unalias(alias);
          all.addAll(drain(self));
          return all;
        });
    assertThat(order)
        .containsExactly(new Urgent(1), new Urgent(2), new Plain(1), new Plain(2), new Plain(3));
  }

  @Test
  void counts_areExactAfterAllWaysOfTaking() {
    List<ProcessInfo> seen =
        in(self -> {
          List<ProcessInfo> all = new ArrayList<>();
          Alias<Integer> alias = urgent(self);
          for (int i = 1; i <= 4; i++) {
            self.pid().send(new Plain(i));
          }
          alias.sendPriority(9);
          assertThat(self.receive(new Plain(2)::equals)).isEqualTo(new Plain(2));
          all.add(info(self)); // 1, 3, 4 and the urgent one wait
          assertThat(self.receive()).isEqualTo(new Urgent(9));
          self.stash(self.receive());
          all.add(info(self)); // 3, 4 wait, 1 is stashed
          assertThat(self.unstashAll()).isEqualTo(1);
          alias.sendPriority(10);
          all.add(info(self)); // the urgent one, 1, 3, 4
          // Waits, and skips all of them.
          assertThat(self.receive(letter -> letter instanceof Came, Duration.ofMillis(1))).isNull();
          all.add(info(self));
          assertThat(drain(self)).hasSize(4);
          assertThat(self.receive(Duration.ofMillis(1))).isNull();
          all.add(info(self));
          return all;
        });
    assertThat(seen).extracting(ProcessInfo::mailbox).containsExactly(4L, 2L, 4L, 4L, 0L);
  }

  @Test
  void request_whoseOutcomeWasLookedAt_canStillBeAbandoned() {
    Pid<Ask> answers =
        node.spawn((_, ask) -> {
          ask.replyTo().send(7);
          return Behavior.same();
        });
    List<Letter> left =
        in(self -> {
          RequestRef call = self.request(answers, Ask::new, SECOND, Came::new);
          // Its outcome is made and looked at, and stays where it is.
          CountDownLatch looked = new CountDownLatch(1);
          while (looked.getCount() > 0) {
            Letter none =
                self.receive(
                    letter -> {
                      if (letter instanceof Came) {
                        looked.countDown();
                      }
                      return false;
                    },
                    Duration.ofMillis(1));
            assertThat(none).isNull();
          }
          assertThat(info(self).mailbox()).isEqualTo(1);
          assertThat(call.abandon()).isTrue();
          assertThat(info(self).mailbox()).isZero();
          assertThat(call.abandon()).isFalse();
          return drain(self);
        });
    assertThat(left).isEmpty();
    assertThat(node.stats().lateReplies()).isEqualTo(1);
  }

  @Test
  void trace_tellsOfEachMessageOnce_howeverItIsTaken() {
    ConcurrentLinkedQueue<Object> received = new ConcurrentLinkedQueue<>();
    CountDownLatch traced = new CountDownLatch(1);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Pid<Letter> pid =
        spawn(self -> {
          traced.await();
          Alias<Integer> alias = urgent(self);
          for (int i = 1; i <= 4; i++) {
            self.pid().send(new Plain(i));
          }
          alias.sendPriority(9);
          self.receive(new Plain(3)::equals);
          self.receive(Urgent.class);
          self.receive(new Plain(99)::equals, Duration.ZERO);
          drain(self);
          done.complete(true);
        });
    try (TraceSession session =
        node.trace(
            TraceOptions.defaults(),
            entry -> {
              if (entry instanceof TraceEvent.Received(var _, long _, Object message)) {
                received.add(message);
              }
            })) {
      session.trace(pid, Set.of(Trace.RECEIVES));
      traced.countDown();
      assertThat(Await.result("the job", done)).isTrue();
      Await.until("all to be told", () -> received.size() >= 5);
      assertThat(received)
          .containsExactly(new Plain(3), new Urgent(9), new Plain(1), new Plain(2), new Plain(4));
    }
  }

  @Test
  void kill_leavesEveryMessageAccountedFor() {
    ConcurrentLinkedQueue<Object> dead = new ConcurrentLinkedQueue<>();
    CountDownLatch ready = new CountDownLatch(1);
    var subscription =
        node.subscribe(
            EventFilter.of(KernelEvent.DeadLetter.class),
            event -> dead.add(((KernelEvent.DeadLetter) event).message()));
    Pid<Letter> pid =
        spawn(self -> {
          Alias<Integer> alias = urgent(self);
          for (int i = 1; i <= 5; i++) {
            self.pid().send(new Plain(i));
          }
          self.stash(self.receive());
          self.stash(self.receive(new Plain(4)::equals));
          alias.sendPriority(9);
          self.unstash(1);
          ready.countDown();
          self.receive(letter -> letter instanceof Came); // skips 1, 2, 3, 5 and the urgent one
        });
    Await.until("the process to wait", () -> ready.getCount() == 0);
    pid.kill();
    Await.until("its end", () -> node.stats().processes() == 0);
    Await.until("all to be told", () -> dead.size() >= 6);
    assertThat(node.stats().unread()).isEqualTo(6);
    assertThat(dead)
        .containsExactlyInAnyOrder(
            new Plain(1), new Plain(2), new Plain(3), new Plain(4), new Plain(5), 9);
    subscription.close();
  }
}
