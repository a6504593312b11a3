package io.selvage.kernel.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Admission;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Limits;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.RequestRef;
import io.selvage.kernel.Requests;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import io.selvage.kernel.support.Step;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What calls that had no reply leave behind: nothing, at the caller, at the process they called, in
 * the wheel, or on the heap. A million of them, with the usual number of rounds.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class CallBooksTest extends KernelTest {
  private static final int CALLS = 10 * Rounds.RACES;
  private static final int AT_ONCE = 1_000;

  /** One in so many calls is watched on the heap. */
  private static final int SAMPLE = 100;

  /** What the called process may hold of calls that are over, however many there were. */
  private static final int A_FEW = 16;

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(1);

  /** A request nobody answers. */
  record Silent(ReplyTo<Integer> replyTo) {}

  /** What the callers below are told. */
  sealed interface Turn {
    record Begin() implements Turn {}

    record Came(Outcome<Integer> outcome) implements Turn {}
  }

  @Parameter Pair pair;

  private final ConcurrentLinkedQueue<WeakReference<ReplyTo<Integer>>> sampled =
      new ConcurrentLinkedQueue<>();
  private final AtomicInteger asked = new AtomicInteger();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  /** Never answers. */
  private Pid<Silent> silent() {
    return pair.other()
        .spawn(
            node,
            (_, request) -> {
              if (asked.getAndIncrement() % SAMPLE == 0) {
                sampled.add(new WeakReference<>(request.replyTo()));
              }
            });
  }

  private void assertNothingLeft(Pid<Silent> callee, int calls) {
    // A request whose caller has given up before it was taken is never seen, but counted.
    Await.until(
        () -> asked + " of " + calls + " to be asked",
        () -> asked.get() + node.stats().expired() >= calls,
        LIMIT);
    assertThat(node.stats().timers()).isZero();
    Await.until(
        () -> "few calls to be held, not " + held(callee),
        () -> held(callee) <= A_FEW,
        Await.LIMIT);
    assertThat(sampled).hasSizeGreaterThanOrEqualTo(asked.get() / SAMPLE);
    Await.until(
        () -> "calls to leave the heap; left: " + reachable(),
        () -> {
          System.gc();
          return reachable() <= A_FEW;
        },
        LIMIT);
  }

  private static int held(Pid<?> callee) {
    return ((LocalProcess<?>) callee).heldCalls();
  }

  private long reachable() {
    return sampled.stream().filter(each -> each.get() != null).count();
  }

  private static int sent(Pid<?> caller) {
    Extras extras = ((LocalProcess<?>) caller).extrasOrNull();
    return extras == null ? 0 : extras.sentCalls().size();
  }

  @Test
  void requests_refusedByAdmission_leaveNothing() {
    CountDownLatch gate = new CountDownLatch(1);
    Pid<Silent> callee =
        pair.other()
            .spawn(
                node,
                (_, request) -> {
                  gate.await();
                  request.replyTo().send(1);
                },
                SpawnOptions.<Silent>defaults()
                    .withLimits(
                        Limits.<Silent>none()
                            .withAdmission(
                                new Admission(Duration.ofNanos(1), Duration.ofNanos(2)))));
    List<CompletableFuture<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      calls.add(callee.<Integer>callAsync(Silent::new, LIMIT).toCompletableFuture());
    }
    gate.countDown();
    Await.until("all to be over", () -> calls.stream().allMatch(CompletableFuture::isDone));
    assertThat(node.stats().overloaded()).isGreaterThan(AT_ONCE / 2);
    Await.until(
        () -> "few calls to be held, not " + held(callee),
        () -> held(callee) <= A_FEW,
        Await.LIMIT);
  }

  @Test
  void requests_timedOut_leaveNothing() {
    Pid<Silent> callee = silent();
    CompletableFuture<Integer> over = new CompletableFuture<>();
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger timedOut = new AtomicInteger();
    Step<Turn> step =
        (self, turn) -> {
          if (turn instanceof Turn.Came(Outcome<Integer> outcome)) {
            assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
            if (timedOut.incrementAndGet() == CALLS) {
              over.complete(CALLS);
            }
          }
          if (begun.get() < CALLS) {
            begun.incrementAndGet();
            RequestRef _ = self.request(callee, Silent::new, SHORT, Turn.Came::new);
          }
        };
    Pid<Turn> caller = pair.one().spawn(node, step);
    for (int i = 0; i < AT_ONCE; i++) {
      caller.send(new Turn.Begin());
    }
    assertThat(Await.result("the timeouts", over, LIMIT)).isEqualTo(CALLS);
    assertThat(sent(caller)).isZero();
    assertNothingLeft(callee, CALLS);
    assertThat(sent(caller)).isZero();
  }

  @Test
  void calls_timedOut_leaveNothing() {
    Pid<Silent> callee = silent();
    int each = Math.max(1, CALLS / AT_ONCE);
    List<CompletableFuture<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      // Direct ones, since each blocks: a thousand handlers that block need a thousand workers.
      callers.add(
          Probe.start(Kind.DIRECT, node)
              .start(_ -> {
                int timeouts = 0;
                for (int k = 0; k < each; k++) {
                  try {
                    int _ = callee.call(Silent::new, SHORT);
                  } catch (CallTimeoutException _) {
                    timeouts++;
                  }
                }
                return timeouts;
              }));
    }
    for (CompletableFuture<Integer> caller : callers) {
      assertThat(Await.result("a caller", caller, LIMIT)).isEqualTo(each);
    }
    assertNothingLeft(callee, each * AT_ONCE);
  }

  @Test
  void collectedCalls_timedOutOrAbandoned_leaveNothing() {
    Pid<Silent> callee = silent();
    Probe caller = Probe.start(Kind.DIRECT, node);
    int left = CALLS / 10;
    caller.act(self -> {
      for (int done = 0; done < left; done += AT_ONCE) {
        try (Requests<Integer, Integer> requests = ((DirectSelf<Msg>) self).requests()) {
          for (int i = 0; i < AT_ONCE; i++) {
            requests.add(i, callee, (ReplyTo<Integer> r) -> new Silent(r), SHORT);
          }
          for (int i = 0; i < AT_ONCE / 2; i++) {
            assertThat(requests.next().outcome()).isInstanceOf(Outcome.TimedOut.class);
          }
        }
      }
    });
    assertThat(sent(caller.pid())).isZero();
    assertNothingLeft(callee, left);
  }

  @Test
  void stages_timedOut_leaveNothing() {
    Pid<Silent> callee = silent();
    int calls = Math.max(1, CALLS / AT_ONCE / 10) * AT_ONCE;
    for (int done = 0; done < calls; done += AT_ONCE) {
      List<CompletableFuture<Integer>> stages = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        stages.add(callee.<Integer>callAsync(Silent::new, SHORT).toCompletableFuture());
      }
      for (CompletableFuture<Integer> stage : stages) {
        Await.until("a stage to fail", stage::isCompletedExceptionally);
      }
    }
    assertNothingLeft(callee, calls);
  }

  @Test
  void requests_ofCallerThatEnds_leaveNothing() {
    Pid<Silent> callee = silent();
    Probe caller = Probe.start(pair.one(), node);
    int calls = AT_ONCE;
    caller.act(self -> {
      for (int i = 0; i < calls; i++) {
        RequestRef _ =
            self.<Silent, Integer>request(callee, Silent::new, Duration.ofHours(1), Msg.Say::new);
      }
    });
    assertThat(sent(caller.pid())).isEqualTo(calls);
    caller.pid().kill();
    caller.awaitEnd();
    Await.until("the timers to be free", () -> node.stats().timers() == 0);
    assertNothingLeft(callee, calls);
  }

  @Test
  void aliases_revokedByReplyOrMonitor_areNotCountedAnyMore() {
    Probe owner = Probe.start(pair.one(), node);
    Probe target = Probe.start(pair.other(), node);
    owner.act(self -> {
      var explicit = self.alias();
      var reply =
          self.<Object>alias(
              AliasOptions.defaults().withMode(AliasOptions.Mode.REPLY), Msg.Say::new);
      var withMonitor =
          self.<Object>monitorWithAlias(
              target.pid(),
              Msg.GotDown::new,
              AliasOptions.defaults().withMode(AliasOptions.Mode.DEMONITOR),
              Msg.Say::new);
      assertThat(aliases(owner.pid())).isEqualTo(3);
      assertThat(self.unalias(explicit)).isTrue();
      self.demonitor(withMonitor.monitor());
      assertThat(aliases(owner.pid())).isOne();
      reply.send("first");
      reply.send("second");
    });
    assertThat(owner.nextSaid()).isEqualTo("first");
    owner.assertQuiet();
    assertThat(owner.<Integer>run(_ -> aliases(owner.pid()))).isZero();
  }

  private static int aliases(Pid<?> owner) {
    return ((LocalProcess<?>) owner).extras().aliases;
  }
}
