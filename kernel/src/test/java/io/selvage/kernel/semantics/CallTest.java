package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls: one process that calls, and the one it calls. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class CallTest extends KernelTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration LONG = Duration.ofHours(1);

  /** A request to the servers below. */
  record Request(long number, ReplyTo<Long> replyTo) {}

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

  private Pid<Request> doubling(Kind kind) {
    return kind.spawn(node, (_, request) -> request.replyTo().send(2 * request.number()));
  }

  private static long call(Pid<Request> pid, long number) {
    return pid.<Long>call(replyTo -> new Request(number, replyTo), FOREVER);
  }

  @Test
  void call_ofProcess_answersItsReply() {
    Pid<Request> server = doubling(pair.other());
    Probe caller = caller();
    for (int i = 0; i < 1_000; i++) {
      long number = i;
      assertThat(caller.<Long>run(_ -> call(server, number))).isEqualTo(2 * number);
    }
    caller.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void call_fromThread_answersItsReply() {
    Pid<Request> server = doubling(pair.other());
    assertThat(call(server, 21)).isEqualTo(42);
  }

  // 69
  @Test
  void call_repliedLaterBySomebodyElse_answersThatReply() {
    Probe caller = caller();
    Probe callee = callee();
    Probe deputy = callee();
    var reply = caller.start(_ -> callee.ask("?", LONG));
    Msg.Ask ask = callee.nextAsked();
    callee.barrier();
    deputy.act(_ -> ask.replyTo().send("from the deputy"));
    assertThat(Await.result("the reply", reply)).isEqualTo("from the deputy");
    assertThat(node.stats().lateReplies()).isZero();
  }

  // 67
  @Test
  void call_withoutReplyInTime_timesOutAndItsLateReplyIsCounted() {
    Probe caller = caller();
    Probe callee = callee();
    caller.act(_ ->
        assertThatExceptionOfType(CallTimeoutException.class)
            .isThrownBy(() -> callee.ask("?", Duration.ofMillis(20)))
            .extracting(CallException::reason)
            .isInstanceOfSatisfying(
                ExitReason.Crash.class,
                crash -> assertThat(crash.cause()).isInstanceOf(TimeoutException.class)));
    Msg.Ask ask = callee.nextAsked();
    ask.replyTo().send("too late");
    assertThat(node.stats().lateReplies()).isEqualTo(1);
    callee.act(_ -> ask.replyTo().send("much too late"));
    assertThat(node.stats().lateReplies()).isEqualTo(2);
    caller.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void callTimeoutException_saysTheTimeAsPeopleWriteIt() {
    Probe callee = callee();
    assertThatExceptionOfType(CallTimeoutException.class)
        .isThrownBy(() -> callee.ask("?", Duration.ofMillis(50)))
        .withMessageContaining(callee.pid() + " did not reply within 50 ms: ");
  }

  @Test
  void call_withZero_timesOutAtOnce() {
    Probe caller = caller();
    Probe callee = callee();
    caller.act(_ ->
        assertThatExceptionOfType(CallTimeoutException.class)
            .isThrownBy(() -> callee.ask("?", Duration.ZERO)));
    assertThatExceptionOfType(CallTimeoutException.class)
        .isThrownBy(() -> callee.ask("?", Duration.ZERO));
    assertThat(callee.nextAsked().what()).isEqualTo("?"); // it was sent
  }

  @Test
  void call_repliedTwice_countsTheSecond() {
    Probe callee = callee();
    Probe caller = caller();
    var reply = caller.start(_ -> callee.ask("?", LONG));
    ReplyTo<Object> replyTo = callee.nextAsked().replyTo();
    replyTo.send("first");
    replyTo.send("second");
    assertThat(Await.result("the reply", reply)).isEqualTo("first");
    assertThat(node.stats().lateReplies()).isEqualTo(1);
    caller.assertQuiet();
  }

  // 68
  @Test
  void call_whoseCalleeEnds_failsWithItsReason() {
    Probe caller = caller();
    Reasons.all()
        .forEach(reason -> {
          Probe callee = callee();
          var fails = caller.start(_ -> callee.ask("?", FOREVER));
          Msg.Ask _ = callee.nextAsked();
          callee.tell(_ -> {
            throw new ExitException(reason);
          });
          assertThatExceptionOfType(CallException.class)
              .isThrownBy(() -> Await.result("the call", fails))
              .extracting(CallException::reason)
              .isSameAs(reason);
        });
    Probe callee = callee();
    var fails = caller.start(_ -> callee.ask("?", FOREVER));
    Msg.Ask ask = callee.nextAsked();
    callee.pid().kill();
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> Await.result("the call", fails))
        .extracting(CallException::reason)
        .isEqualTo(ExitReason.killed());
    ask.replyTo().send("too late");
    assertThat(node.stats().lateReplies()).isEqualTo(1);
    caller.assertQuiet();
  }

  @Test
  void call_ofProcessThatEndsWithoutReadingIt_fails() {
    Probe caller = caller();
    Probe callee = callee();
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    callee.tell(_ -> {
      boolean _ = release.get();
      throw new ExitException(Reasons.DIE);
    });
    var fails = caller.start(_ -> callee.ask("?", FOREVER));
    var fromThread =
        CompletableFuture.supplyAsync(() -> callee.ask("?", FOREVER), Thread::startVirtualThread);
    assertThat(fails).isNotDone();
    release.complete(true);
    // Sent before or after the end: then there was no such process any more.
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> Await.result("the call", fails))
        .satisfies(e -> assertThat(e.reason()).isIn(Reasons.DIE, ExitReason.noProc()));
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> Await.result("the call", fromThread))
        .satisfies(e -> assertThat(e.reason()).isIn(Reasons.DIE, ExitReason.noProc()));
  }

  // 68
  @Test
  void call_ofEndedProcess_failsWithNoProc() {
    Probe caller = caller();
    Probe callee = callee();
    callee.pid().kill();
    callee.awaitEnd();
    caller.act(_ ->
        assertThatExceptionOfType(CallException.class)
            .isThrownBy(() -> callee.ask("?", FOREVER))
            .extracting(CallException::reason)
            .isEqualTo(ExitReason.noProc()));
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> callee.ask("?", FOREVER))
        .extracting(CallException::reason)
        .isEqualTo(ExitReason.noProc());
  }

  // 68
  @Test
  void call_ofItself_failsAtOnce() {
    Probe caller = caller();
    caller.act(_ ->
        assertThatExceptionOfType(CallException.class)
            .isThrownBy(() -> caller.ask("?", FOREVER))
            .satisfies(e -> assertThat(e.reason()).isInstanceOf(ExitReason.Crash.class)));
    caller.assertQuiet();
  }

  @Test
  void callException_leavingTheCode_crashesTheCaller() {
    Probe callee = callee();
    callee.pid().kill();
    callee.awaitEnd();
    Probe caller = caller();
    Fate fate = Fate.of(node, caller);
    caller.tell(_ -> callee.ask("?", FOREVER));
    assertThat(((ExitReason.Crash) fate.reason()).cause()).isInstanceOf(CallException.class);
  }

  @Test
  void caller_killedWhileItCalls_endsAtOnce() {
    Probe callee = callee();
    for (ExitReason reason : List.of(ExitReason.kill(), Reasons.DIE)) {
      Probe caller = caller();
      Fate fate = Fate.of(node, caller);
      caller.tell(_ -> callee.ask("?", FOREVER));
      Msg.Ask ask = callee.nextAsked();
      caller.pid().exit(reason);
      assertThat(fate.reason())
          .isEqualTo(reason.equals(ExitReason.kill()) ? ExitReason.killed() : reason);
      long late = node.stats().lateReplies();
      ask.replyTo().send("to a grave");
      assertThat(node.stats().lateReplies()).isEqualTo(late + 1);
    }
    assertThat(callee.answers()).isTrue();
  }

  @Test
  void caller_endedByLinkWhileItCalls_endsAtOnce() {
    Probe callee = callee();
    Probe linked = callee();
    Probe caller = caller();
    Fate fate = Fate.of(node, caller);
    caller.act(self -> self.link(linked.pid()));
    caller.tell(_ -> callee.ask("?", FOREVER));
    Msg.Ask _ = callee.nextAsked();
    linked.pid().exit(Reasons.DIE);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  /** The exit signal of the link was sent before the call failed, so the code cannot go on. */
  @Test
  void caller_linkedWithTheCallee_endsWithItAndDoesNotGoOn() {
    AtomicBoolean wentOn = new AtomicBoolean();
    for (int i = 0; i < Rounds.part(500); i++) {
      Pid<Request> callee =
          pair.other()
              .spawn(
                  node,
                  (_, _) -> {
                    throw new ExitException(Reasons.DIE);
                  });
      Probe caller = caller();
      Fate fate = Fate.of(node, caller);
      caller.tell(self -> {
        self.link(callee);
        try {
          long _ = call(callee, 1);
        } catch (CallException e) {
          wentOn.set(true);
        }
      });
      assertThat(fate.reason()).isEqualTo(Reasons.DIE);
    }
    assertThat(wentOn).isFalse();
  }

  @Test
  void trappingCaller_gotExitWhileItCalls_goesOnAndReadsItLater() {
    Probe callee = callee();
    Probe caller = Probe.trapping(pair.one(), node);
    var reply = caller.start(_ -> callee.ask("?", FOREVER));
    Msg.Ask ask = callee.nextAsked();
    caller.say("meanwhile");
    caller.pid().exit(Reasons.DIE);
    caller.pid().exit(ExitReason.normal());
    ask.replyTo().send("the reply");
    assertThat(Await.result("the reply", reply)).isEqualTo("the reply");
    assertThat(caller.nextSaid()).isEqualTo("meanwhile");
    assertThat(caller.nextExit()).isEqualTo(new Exit(null, Reasons.DIE));
    assertThat(caller.nextExit()).isEqualTo(new Exit(null, ExitReason.normal()));
    caller.assertQuiet();
  }

  // D43 in small: what waits in the mailbox stays, in order
  @Test
  void call_withMessagesInTheMailbox_leavesThemInOrder() {
    Pid<Request> server = doubling(pair.other());
    Probe caller = caller();
    caller.act(self -> {
      for (int i = 0; i < 100; i++) {
        self.pid().send(new Msg.Say(i));
        assertThat(call(server, i)).isEqualTo(2L * i);
      }
    });
    for (int i = 0; i < 100; i++) {
      assertThat(caller.nextSaid()).isEqualTo(i);
    }
    caller.assertQuiet();
  }

  @Test
  void outsideCaller_interrupted_failsAndKeepsItsInterruptStatus() throws InterruptedException {
    Probe callee = callee();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    for (Thread.Builder builder : List.of(Thread.ofVirtual(), Thread.ofPlatform())) {
      Thread thread =
          builder.start(() -> {
            try {
              Object _ = callee.ask("?", FOREVER);
            } catch (CallException e) {
              interrupted.complete(Thread.currentThread().isInterrupted());
            }
          });
      Msg.Ask ask = callee.nextAsked();
      thread.interrupt();
      assertThat(Await.result("the call to fail", interrupted)).isTrue();
      thread.join();
      long late = node.stats().lateReplies();
      ask.replyTo().send("too late");
      assertThat(node.stats().lateReplies()).isEqualTo(late + 1);
    }
  }

  @Test
  void requestFunction_thatThrowsOrAnswersNull_failsTheCallAndSendsNothing() {
    Probe callee = callee();
    Probe caller = caller();
    IllegalStateException planned = new IllegalStateException("planned");
    caller.act(_ -> {
      assertThatThrownBy(() ->
              callee
                  .pid()
                  .call(
                      _ -> {
                        throw planned;
                      },
                      FOREVER))
          .isSameAs(planned);
      assertThatThrownBy(() -> callee.pid().call(_ -> null, FOREVER))
          .isInstanceOf(NullPointerException.class);
    });
    callee.assertQuiet();
    Pid<Request> server = doubling(pair.other());
    assertThat(caller.<Long>run(_ -> call(server, 1))).isEqualTo(2);
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void callers_manyAtOnce_eachGetsItsOwnReply() {
    int callers = pair.one() == Kind.DIRECT_ON_PLATFORM_THREAD ? 50 : 300;
    Pid<Request> server = doubling(pair.other());
    AtomicLong sum = new AtomicLong();
    List<CompletableFuture<Long>> results = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      long number = i;
      results.add(
          caller()
              .start(_ -> {
                long last = 0;
                for (int k = 0; k < 10; k++) {
                  last = call(server, number);
                  sum.addAndGet(last);
                }
                return last;
              }));
    }
    for (int i = 0; i < callers; i++) {
      assertThat(Await.result("a caller", results.get(i))).isEqualTo(2L * i);
    }
    assertThat(sum).hasValue(10L * callers * (callers - 1));
  }

  @Test
  void calls_nestedThreeDeep_withOneWorker_answer() {
    var narrow = restart(options(NodeOptions.defaults()).withWorkers(1));
    Pid<Request> last = pair.other().spawn(narrow, (_, r) -> r.replyTo().send(2 * r.number()));
    Pid<Request> third =
        pair.one().spawn(narrow, (_, r) -> r.replyTo().send(call(last, r.number() + 1)));
    Pid<Request> second =
        pair.other().spawn(narrow, (_, r) -> r.replyTo().send(call(third, r.number() + 1)));
    Pid<Request> first =
        pair.one().spawn(narrow, (_, r) -> r.replyTo().send(call(second, r.number() + 1)));
    for (int i = 0; i < 200; i++) {
      assertThat(call(first, i)).isEqualTo(2L * (i + 3));
    }
  }

  @Test
  void handlers_twoHundredCallingAtOnce_allAnswer() {
    int callers = pair.one() == Kind.DIRECT_ON_PLATFORM_THREAD ? 50 : 200;
    List<Request> waiting = new ArrayList<>();
    // Answers nobody before all have called, so that all wait at the same time.
    Pid<Request> server =
        pair.other()
            .spawn(
                node,
                (_, request) -> {
                  waiting.add(request);
                  if (waiting.size() == callers) {
                    waiting.forEach(each -> each.replyTo().send(each.number()));
                  }
                });
    List<CompletableFuture<Long>> results = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      long number = i;
      results.add(caller().start(_ -> call(server, number)));
    }
    for (int i = 0; i < callers; i++) {
      assertThat(Await.result("a caller", results.get(i))).isEqualTo(i);
    }
    assertThat(events.of(KernelEvent.WorkersExhausted.class)).isEmpty();
  }

  // M
  @Test
  void call_againstTheEndOfTheCallee_alwaysComesBack() {
    int rounds = Rounds.part(50);
    Probe caller = caller();
    AtomicBoolean odd = new AtomicBoolean();
    for (int i = 0; i < rounds; i++) {
      int spins = i % 200;
      Pid<Request> callee =
          pair.other()
              .spawn(
                  node,
                  (self, request) -> {
                    if (request.number() % 2 == 0) {
                      request.replyTo().send(request.number());
                    }
                    throw new ExitException(Reasons.DIE);
                  });
      long number = i;
      var result = caller.start(_ -> call(callee, number));
      Referee.dawdle(spins);
      if (i % 3 == 0) {
        callee.kill();
      }
      try {
        assertThat(Await.result("a call", result)).isEqualTo(number);
        odd.compareAndSet(false, number % 2 == 1);
      } catch (CallException e) {
        assertThat(e.reason()).isIn(Reasons.DIE, ExitReason.killed(), ExitReason.noProc());
      }
    }
    assertThat(odd).isFalse();
    caller.assertQuiet();
  }
}
