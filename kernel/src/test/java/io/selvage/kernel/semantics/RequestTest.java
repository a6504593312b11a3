package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.RequestRef;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls whose outcome comes as a message: the process that calls, and the one it calls. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class RequestTest extends KernelTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(20);

  @Parameter Pair pair;

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

  private static RequestRef request(Self<Msg> self, Pid<Msg> target, Object what, Duration limit) {
    return self.<Msg, Object>request(
        target, replyTo -> new Msg.Ask(what, replyTo), limit, Msg.Say::new);
  }

  private static RequestRef request(Probe caller, Probe callee, Duration limit) {
    return caller.run(self -> request(self, callee.pid(), "?", limit));
  }

  private static Outcome<?> nextOutcome(Probe caller) {
    return (Outcome<?>) caller.nextSaid();
  }

  @Test
  void request_withReply_bringsIt() {
    Probe caller = caller();
    Probe callee = callee();
    for (Duration limit : List.of(LONG, FOREVER)) {
      RequestRef request = request(caller, callee, limit);
      callee.nextAsked().replyTo().send("the reply");
      assertThat(nextOutcome(caller)).isEqualTo(new Outcome.Replied<>("the reply"));
      assertThat(caller.<Boolean>run(_ -> request.abandon())).isFalse();
    }
    caller.assertQuiet();
    assertThat(node.stats().timers()).isZero();
    assertThat(node.stats().lateReplies()).isZero();
  }

  @Test
  void request_forever_setsNoTimer() {
    Probe caller = caller();
    Probe callee = callee();
    RequestRef _ = request(caller, callee, FOREVER);
    assertThat(node.stats().timers()).isZero();
    RequestRef _ = request(caller, callee, LONG);
    assertThat(node.stats().timers()).isOne();
  }

  @Test
  void requests_aThousandAtOnceAnsweredBackwards_eachBringsItsOwnReply() {
    Probe caller = caller();
    Probe callee = callee();
    int number = 1_000;
    caller.act(self -> {
      for (int i = 0; i < number; i++) {
        RequestRef _ = request(self, callee.pid(), i, LONG);
      }
    });
    List<Msg.Ask> asked = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      asked.add(callee.nextAsked());
    }
    callee.act(_ -> asked.reversed().forEach(ask -> ask.replyTo().send(ask.what())));
    for (int i = number - 1; i >= 0; i--) {
      assertThat(nextOutcome(caller)).isEqualTo(new Outcome.Replied<>(i));
    }
    caller.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  // 67
  @Test
  void request_withoutReplyInTime_bringsTimedOutAndItsLateReplyIsCounted() {
    Probe caller = caller();
    Probe callee = callee();
    RequestRef _ = request(caller, callee, SHORT);
    ReplyTo<Object> replyTo = callee.nextAsked().replyTo();
    Outcome<?> outcome = nextOutcome(caller);
    assertThat(outcome).isEqualTo(new Outcome.TimedOut<>(callee.pid(), SHORT));
    assertThatExceptionOfType(CallTimeoutException.class)
        .isThrownBy(outcome::orThrow)
        .withMessageContaining("did not reply within 20 ms: ");
    replyTo.send("too late");
    assertThat(node.stats().lateReplies()).isOne();
    caller.assertQuiet();
  }

  @Test
  void request_withZero_isSentAndTimesOut() {
    Probe caller = caller();
    Probe callee = callee();
    RequestRef _ = request(caller, callee, Duration.ZERO);
    assertThat(nextOutcome(caller)).isInstanceOf(Outcome.TimedOut.class);
    assertThat(callee.nextAsked().what()).isEqualTo("?");
  }

  // 68
  @Test
  void request_whoseCalleeEnds_bringsItsReason() {
    Probe caller = caller();
    Reasons.all()
        .forEach(reason -> {
          Probe callee = callee();
          RequestRef _ = request(caller, callee, FOREVER);
          Msg.Ask _ = callee.nextAsked();
          callee.tell(_ -> {
            throw new ExitException(reason);
          });
          Outcome<?> outcome = nextOutcome(caller);
          assertThat(outcome).isEqualTo(new Outcome.Failed<>(callee.pid(), reason));
          assertThatExceptionOfType(CallException.class)
              .isThrownBy(outcome::orThrow)
              .extracting(CallException::reason)
              .isSameAs(reason);
        });
    caller.assertQuiet();
  }

  @Test
  void request_unreadAtTheEndOfTheCallee_brings_itsReason() {
    Probe caller = caller();
    Probe callee = callee();
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    callee.tell(_ -> {
      boolean _ = release.get();
      throw new ExitException(Reasons.DIE);
    });
    RequestRef _ = request(caller, callee, LONG);
    release.complete(true);
    assertThat(nextOutcome(caller)).isEqualTo(new Outcome.Failed<>(callee.pid(), Reasons.DIE));
    caller.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  // 68
  @Test
  void request_toEndedProcess_bringsNoProc() {
    Probe caller = caller();
    Probe callee = callee();
    callee.pid().kill();
    callee.awaitEnd();
    RequestRef _ = request(caller, callee, LONG);
    assertThat(nextOutcome(caller))
        .isEqualTo(new Outcome.Failed<>(callee.pid(), ExitReason.noProc()));
    assertThat(node.stats().timers()).isZero();
  }

  // 68
  @Test
  void request_toItself_bringsFailure() {
    Probe caller = caller();
    for (Duration limit : List.of(LONG, FOREVER)) {
      RequestRef _ = request(caller, caller, limit);
      Outcome<?> outcome = nextOutcome(caller);
      assertThat(outcome).isInstanceOf(Outcome.Failed.class);
      assertThatExceptionOfType(CallException.class)
          .isThrownBy(outcome::orThrow)
          .withCauseInstanceOf(IllegalStateException.class);
    }
    caller.assertQuiet(); // it was not asked
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void abandonedRequest_bringsNothing() {
    Probe caller = caller();
    Probe callee = callee();
    RequestRef request = request(caller, callee, LONG);
    callee.barrier(); // a request that is abandoned before it is taken is never seen
    assertThat(node.stats().timers()).isOne();
    assertThat(caller.<Boolean>run(_ -> request.abandon())).isTrue();
    assertThat(node.stats().timers()).isZero();
    callee.nextAsked().replyTo().send("too late");
    assertThat(node.stats().lateReplies()).isOne();
    caller.assertQuiet();
    assertThat(caller.<Boolean>run(_ -> request.abandon())).isFalse();
    assertThatIllegalStateException().isThrownBy(request::abandon);
    callee.act(_ -> assertThatIllegalStateException().isThrownBy(request::abandon));
  }

  @Test
  void abandonedRequest_whoseReplyIsOnTheWay_bringsNothing() {
    Probe caller = caller();
    Probe callee = callee();
    RequestRef request = request(caller, callee, LONG);
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    var abandoned =
        caller.start(_ -> {
          held.complete(true);
          boolean _ = release.get();
          return request.abandon();
        });
    boolean _ = Await.result("the caller to be held", held);
    callee.nextAsked().replyTo().send("on the way");
    release.complete(true);
    assertThat(Await.result("abandon", abandoned)).isTrue();
    caller.assertQuiet();
    assertThat(node.stats().lateReplies()).isOne();
  }

  @Test
  void abandonedRequest_whoseReplyIsInTheMailbox_isTakenOutOfIt() {
    Probe caller = caller();
    Probe callee = callee();
    RequestRef request = request(caller, callee, LONG);
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    caller.tell(_ -> {
      held.complete(true);
      boolean _ = release.get();
    });
    boolean _ = Await.result("the caller to be held", held);
    // Fetched together, as the hold ends.
    var abandoned = caller.start(_ -> request.abandon());
    caller.say("before");
    callee.nextAsked().replyTo().send("in the mailbox");
    caller.say("after");
    release.complete(true);
    assertThat(Await.result("abandon", abandoned)).isTrue();
    assertThat(caller.nextSaid()).isEqualTo("before");
    assertThat(caller.nextSaid()).isEqualTo("after");
    caller.assertQuiet();
    assertThat(node.stats().lateReplies()).isOne();
    assertThat(caller.<Boolean>run(_ -> request.abandon())).isFalse();
  }

  @Test
  void caller_ends_itsRequestsEndWithIt() {
    Probe callee = callee();
    Probe caller = caller();
    for (int i = 0; i < 10; i++) {
      RequestRef _ = request(caller, callee, LONG);
    }
    callee.barrier(); // what it had not taken before the caller's end, it would never see
    assertThat(node.stats().timers()).isEqualTo(10);
    caller.pid().kill();
    caller.awaitEnd();
    Await.until("the timers to be free", () -> node.stats().timers() == 0);
    Fate _ = Fate.of(node, caller); // it has told all others by now
    for (int i = 0; i < 10; i++) {
      callee.nextAsked().replyTo().send("to a grave");
    }
    assertThat(node.stats().lateReplies()).isEqualTo(10);
  }

  @Test
  void caller_endsWithRepliesUnread_countsThem() {
    Probe callee = callee();
    Probe caller = caller();
    RequestRef _ = request(caller, callee, LONG);
    RequestRef _ = request(caller, callee, LONG);
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    caller.tell(_ -> {
      boolean _ = release.get();
      throw new ExitException(Reasons.DIE);
    });
    callee.nextAsked().replyTo().send("unread");
    callee.nextAsked().replyTo().send("unread");
    release.complete(true);
    caller.awaitEnd();
    Await.until("both to be counted", () -> node.stats().undelivered() == 2);
    assertThat(caller.leftOvers()).isEmpty();
  }

  @Test
  void requestFunction_thatThrowsOrAnswersNull_throwsThereAndSendsNothing() {
    Probe caller = caller();
    Probe callee = callee();
    IllegalStateException planned = new IllegalStateException("planned");
    caller.act(self -> {
      assertThatThrownBy(() ->
              self.request(
                  callee.pid(),
                  _ -> {
                    throw planned;
                  },
                  LONG,
                  Msg.Say::new))
          .isSameAs(planned);
      assertThatThrownBy(() -> self.request(callee.pid(), _ -> null, LONG, Msg.Say::new))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("request");
    });
    caller.assertQuiet();
    callee.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void outcomeFunction_thatThrowsOrAnswersNull_crashesTheCaller() {
    Probe callee = callee();
    IllegalStateException planned = new IllegalStateException("planned");
    Probe throwing = caller();
    Fate thrown = Fate.of(node, throwing);
    throwing.tell(self ->
        self.<Msg, Object>request(
            callee.pid(),
            replyTo -> new Msg.Ask("?", replyTo),
            Duration.ZERO,
            _ -> {
              throw planned;
            }));
    assertThat(((ExitReason.Crash) thrown.reason()).cause()).isSameAs(planned);
    Probe answering = caller();
    Fate fate = Fate.of(node, answering);
    answering.tell(self ->
        self.<Msg, Object>request(
            callee.pid(), replyTo -> new Msg.Ask("?", replyTo), Duration.ZERO, _ -> null));
    assertThat(((ExitReason.Crash) fate.reason()).cause())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("outcome");
  }

  @Test
  void replyTwice_bringsTheFirstAndCountsTheSecond() {
    Probe caller = caller();
    Probe callee = callee();
    RequestRef _ = request(caller, callee, LONG);
    ReplyTo<Object> replyTo = callee.nextAsked().replyTo();
    replyTo.send("first");
    replyTo.send("second");
    assertThat(nextOutcome(caller)).isEqualTo(new Outcome.Replied<>("first"));
    caller.assertQuiet();
    assertThat(node.stats().lateReplies()).isOne();
  }

  @Test
  void request_toAnotherNode_bringsItsReplyAndItsEnd() {
    Node far = start(options(NodeOptions.defaults()));
    Probe callee = Probe.start(pair.other(), far);
    Probe caller = caller();
    RequestRef _ = request(caller, callee, LONG);
    callee.nextAsked().replyTo().send("from far");
    assertThat(nextOutcome(caller)).isEqualTo(new Outcome.Replied<>("from far"));
    RequestRef _ = request(caller, callee, LONG);
    assertThat(far.close(Await.LIMIT)).isEmpty();
    assertThat(nextOutcome(caller))
        .isEqualTo(new Outcome.Failed<>(callee.pid(), ExitReason.shutdown()));
    caller.assertQuiet();
  }

  // M
  @Test
  void replyAgainstTimeoutAgainstEndAgainstAbandon_bringsOneOutcomeAtMost() {
    int rounds = Rounds.part(20);
    Probe caller = caller();
    long replies = 0;
    long arrived = 0;
    for (int i = 0; i < rounds; i++) {
      Probe callee = callee();
      Duration limit = i % 3 == 0 ? Duration.ofNanos(1) : LONG;
      RequestRef request = request(caller, callee, limit);
      List<Msg> asked = callee.drain();
      if (asked.isEmpty()) { // its time was over before the callee came to it
        assertThat(limit).isNotEqualTo(LONG);
        assertThat(nextOutcome(caller)).isInstanceOf(Outcome.TimedOut.class);
        callee.pid().kill();
        callee.awaitEnd();
        continue;
      }
      ReplyTo<Object> replyTo = ((Msg.Ask) asked.getFirst()).replyTo();
      callee.tell(_ -> replyTo.send("reply"));
      Referee.dawdle(i % 300);
      if (i % 2 == 0) {
        callee.pid().exit(Reasons.DIE);
      } else {
        callee.barrier();
      }
      boolean abandoned = i % 5 == 0 && caller.<Boolean>run(_ -> request.abandon());
      if (!abandoned) {
        Outcome<?> outcome = nextOutcome(caller);
        if (outcome instanceof Outcome.Replied<?>(Object reply)) {
          assertThat(reply).isEqualTo("reply");
          arrived++;
        }
      }
      callee.pid().exit(Reasons.DIE);
      callee.awaitEnd();
      caller.assertQuiet();
      replies++;
    }
    assertThat(arrived + node.stats().lateReplies()).isLessThanOrEqualTo(replies);
    assertThat(node.stats().timers()).isZero();
  }
}
