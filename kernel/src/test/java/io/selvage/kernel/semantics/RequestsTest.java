package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Marks;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Requests;
import io.selvage.kernel.Requests.Response;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Collections of calls: the direct process that has one, and the one it calls. */
@ParameterizedClass(name = "{0}")
@MethodSource("pairs")
class RequestsTest extends KernelTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(20);

  /** A request to the servers below. */
  record Request(long number, ReplyTo<Long> replyTo) {}

  @Parameter Pair pair;

  static List<Pair> pairs() {
    return Pair.all().stream().filter(pair -> pair.one().isDirect()).toList();
  }

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  private Probe caller() {
    return Probe.start(pair.one(), node);
  }

  private Probe callee() {
    return Probe.start(pair.other(), node);
  }

  private static Requests<String, Object> requests(Self<Msg> self) {
    return ((DirectSelf<Msg>) self).requests();
  }

  private static void add(Requests<String, Object> requests, String key, Probe to, Duration limit) {
    requests.add(key, to.pid(), replyTo -> new Msg.Ask(key, replyTo), limit);
  }

  private static Response<String, Object> replied(String key, Object reply) {
    return new Response<>(key, new Outcome.Replied<>(reply));
  }

  @Test
  void outcomes_areTakenInTheOrderInWhichTheyCome() {
    Probe caller = caller();
    Probe callee = callee();
    var all =
        caller.start(self -> {
          try (Requests<String, Object> requests = requests(self)) {
            add(requests, "a", callee, LONG);
            add(requests, "b", callee, FOREVER);
            add(requests, "c", callee, LONG);
            assertThat(requests.size()).isEqualTo(3);
            var got = List.of(requests.next(), requests.next(), requests.next());
            assertThat(requests.size()).isZero();
            return got;
          }
        });
    Msg.Ask a = callee.nextAsked();
    Msg.Ask b = callee.nextAsked();
    Msg.Ask c = callee.nextAsked();
    callee.act(_ -> List.of(c, a, b).forEach(ask -> ask.replyTo().send(ask.what())));
    assertThat(Await.result("the outcomes", all))
        .containsExactly(replied("c", "c"), replied("a", "a"), replied("b", "b"));
    caller.assertQuiet();
    assertThat(node.stats().timers()).isZero();
    assertThat(node.stats().lateReplies()).isZero();
  }

  @Test
  void outcomes_ofAllSorts_come() {
    Probe caller = caller();
    Probe dead = callee();
    dead.pid().kill();
    dead.awaitEnd();
    Probe ending = callee();
    Probe silent = callee();
    caller.act(self -> {
      try (Requests<String, Object> requests = requests(self)) {
        add(requests, "dead", dead, LONG);
        assertThat(requests.next().outcome())
            .isEqualTo(new Outcome.Failed<>(dead.pid(), ExitReason.noProc()));
        add(requests, "ending", ending, FOREVER);
        ending.tell(_ -> {
          throw new ExitException(Reasons.DIE);
        });
        assertThat(requests.next().outcome())
            .isEqualTo(new Outcome.Failed<>(ending.pid(), Reasons.DIE));
        add(requests, "silent", silent, SHORT);
        assertThat(requests.next().outcome())
            .isEqualTo(new Outcome.TimedOut<>(silent.pid(), SHORT));
        add(requests, "at once", silent, Duration.ZERO);
        assertThat(requests.next().outcome()).isInstanceOf(Outcome.TimedOut.class);
        requests.add(
            "itself", self.pid(), (ReplyTo<Object> r) -> new Msg.Ask("itself", r), FOREVER);
        assertThat(requests.next().outcome()).isInstanceOf(Outcome.Failed.class);
      }
    });
    caller.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void next_withTime_answersNullAndLeavesTheCallsOpen() {
    Probe caller = caller();
    Probe callee = callee();
    caller.act(self -> {
      try (Requests<String, Object> requests = requests(self)) {
        add(requests, "a", callee, LONG);
        assertThat(requests.next(Duration.ZERO)).isNull();
        assertThat(requests.next(SHORT)).isNull();
        assertThat(requests.size()).isOne();
        callee.nextAsked().replyTo().send("reply");
        assertThat(requests.next(Duration.ZERO)).isEqualTo(replied("a", "reply"));
        assertThat(requests.size()).isZero();
        add(requests, "b", callee, LONG);
        ReplyTo<Object> replyTo = callee.nextAsked().replyTo();
        Thread.startVirtualThread(() -> replyTo.send("later"));
        assertThat(requests.next(LONG)).isEqualTo(replied("b", "later"));
      }
    });
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void next_withMessagesInTheMailbox_leavesThemInOrder() {
    Probe caller = caller();
    Pid<Request> server = pair.other().spawn(node, (_, r) -> r.replyTo().send(2 * r.number()));
    caller.act(self -> {
      DirectSelf<Msg> direct = (DirectSelf<Msg>) self;
      try (Requests<Integer, Long> requests = direct.requests()) {
        for (int i = 0; i < 200; i++) {
          long number = i;
          caller.say(i);
          requests.add(i, server, (ReplyTo<Long> r) -> new Request(number, r), LONG);
          assertThat(requests.next())
              .isEqualTo(new Response<>(i, new Outcome.Replied<>(2 * number)));
        }
      }
    });
    for (int i = 0; i < 200; i++) {
      assertThat(caller.nextSaid()).isEqualTo(i);
    }
    caller.assertQuiet();
  }

  // 43: would take many minutes if each looked through the mailbox
  @Test
  void tenThousandCallsOfEverySort_withHalfAMillionMessagesQueued_doNotLookAtThem() {
    node.marks(Marks.off()); // the mailbox shall grow long
    int queued = 500_000;
    int calls = 10_000;
    Pid<Request> server = pair.other().spawn(node, (_, r) -> r.replyTo().send(2 * r.number()));
    CompletableFuture<Integer> left = new CompletableFuture<>();
    Pid<Integer> _ =
        node.spawn(self -> {
          try (Requests<Long, Long> requests = self.requests()) {
            for (int i = 0; i < queued; i++) {
              self.pid().send(i);
            }
            for (long i = 0; i < calls; i++) {
              long number = i;
              requests.add(number, server, (ReplyTo<Long> r) -> new Request(number, r), LONG);
              assertThat(requests.next().outcome().orThrow()).isEqualTo(2 * number);
              assertThat(server.<Long>call(r -> new Request(number, r), LONG))
                  .isEqualTo(2 * number);
            }
            for (int i = 0; i < queued; i++) {
              assertThat(self.receive()).isEqualTo(i);
            }
            left.complete(queued);
          } catch (Throwable failure) { // the test is told
            left.completeExceptionally(failure);
          }
        });
    assertThat(Await.result("the messages", left, Duration.ofSeconds(60))).isEqualTo(queued);
  }

  @Test
  void next_ofEmptyCollection_isRefused() {
    caller()
        .act(self -> {
          try (Requests<String, Object> requests = requests(self)) {
            assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(requests::next);
            assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> requests.next(SHORT));
            assertThatIllegalArgumentException()
                .isThrownBy(() -> requests.next(Duration.ofNanos(-1)));
          }
        });
  }

  @Test
  void close_dropsOpenCallsAndOutcomesThatHaveCome() {
    Probe caller = caller();
    Probe callee = callee();
    caller.act(self -> {
      Requests<String, Object> requests = requests(self);
      for (String key : List.of("open", "on its way", "here", "taken")) {
        add(requests, key, callee, LONG);
      }
      Msg.Ask open = callee.nextAsked();
      Msg.Ask onItsWay = callee.nextAsked();
      Msg.Ask here = callee.nextAsked();
      callee.nextAsked().replyTo().send("taken");
      here.replyTo().send("here");
      assertThat(requests.next().key()).isEqualTo("taken");
      onItsWay.replyTo().send("on its way");
      assertThat(requests.size()).isEqualTo(3);
      requests.close();
      assertThat(requests.size()).isZero();
      assertThat(node.stats().lateReplies()).isEqualTo(2);
      open.replyTo().send("open");
      assertThat(node.stats().lateReplies()).isEqualTo(3);
      assertThatIllegalStateException().isThrownBy(() -> add(requests, "more", callee, LONG));
      requests.close();
    });
    caller.assertQuiet();
    callee.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void caller_killedWhileItWaits_endsAtOnceAndCountsWhatHasCome() {
    Probe callee = callee();
    for (ExitReason reason : List.of(ExitReason.kill(), Reasons.DIE)) {
      long before = node.stats().lateReplies();
      Probe caller = caller();
      Fate fate = Fate.of(node, caller);
      CompletableFuture<Boolean> waits = new CompletableFuture<>();
      caller.tell(self -> {
        Requests<String, Object> requests = requests(self); // not closed
        for (String key : List.of("taken", "here", "open", "open, too")) {
          add(requests, key, callee, LONG);
        }
        callee.nextAsked().replyTo().send("taken");
        callee.nextAsked().replyTo().send("here");
        assertThat(requests.next().key()).isEqualTo("taken"); // and "here" has come with it
        waits.complete(true);
        if (reason.equals(ExitReason.kill())) {
          requests.next();
        }
        requests.next();
        requests.next(LONG);
      });
      boolean _ = Await.result("the caller to wait", waits);
      callee.barrier(); // what it had not taken before the caller's end, it would never see
      caller.pid().exit(reason);
      assertThat(fate.reason())
          .isEqualTo(reason.equals(ExitReason.kill()) ? ExitReason.killed() : reason);
      callee.nextAsked().replyTo().send("to a grave");
      callee.nextAsked().replyTo().send("to a grave");
      // The two to the grave; and the one that was here, unless it was taken before the end.
      assertThat(node.stats().lateReplies() - before).as("late replies").isBetween(2L, 3L);
    }
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void caller_endsWithOutcomesNotTaken_countsThem() {
    Probe callee = callee();
    Probe caller = caller();
    Fate fate = Fate.of(node, caller);
    caller.tell(self -> {
      Requests<String, Object> requests = requests(self);
      add(requests, "taken", callee, LONG);
      add(requests, "here", callee, LONG);
      callee.nextAsked().replyTo().send("taken");
      callee.nextAsked().replyTo().send("here");
      assertThat(requests.next().key()).isEqualTo("taken");
      throw new ExitException(Reasons.DIE);
    });
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
    Await.until("the reply to be counted", () -> node.stats().lateReplies() == 1);
    assertThat(node.stats().undelivered()).isZero();
  }

  @Test
  void requestFunction_thatThrows_leavesNothingBehind() {
    Probe callee = callee();
    IllegalStateException planned = new IllegalStateException("planned");
    caller()
        .act(self -> {
          try (Requests<String, Object> requests = requests(self)) {
            assertThatThrownBy(() ->
                    requests.add(
                        "bad",
                        callee.pid(),
                        _ -> {
                          throw planned;
                        },
                        LONG))
                .isSameAs(planned);
            assertThat(requests.size()).isZero();
          }
        });
    assertThat(node.stats().timers()).isZero();
    callee.assertQuiet();
  }

  @Test
  void collection_usedByAnotherThread_isRefused() {
    Probe caller = caller();
    Probe callee = callee();
    Requests<String, Object> stolen = caller.run(RequestsTest::requests);
    assertRefused(stolen, callee);
    callee.act(_ -> assertRefused(stolen, callee));
  }

  private static void assertRefused(Requests<String, Object> stolen, Probe callee) {
    assertThatIllegalStateException().isThrownBy(() -> add(stolen, "a", callee, LONG));
    assertThatIllegalStateException().isThrownBy(stolen::size);
    assertThatIllegalStateException().isThrownBy(stolen::next);
    assertThatIllegalStateException().isThrownBy(() -> stolen.next(SHORT));
    assertThatIllegalStateException().isThrownBy(stolen::close);
  }
}
