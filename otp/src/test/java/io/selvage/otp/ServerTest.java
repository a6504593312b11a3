package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Probe;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers: their start, their answers, and their end. */
class ServerTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;

  sealed interface Msg {
    record Add(long more) implements Msg {}

    record Get(ReplyTo<Long> replyTo) implements Msg {}

    record Do(Server<Long, Msg> what) implements Msg {}

    record Note(String text) implements Msg {}
  }

  /** What a server of the test was told, in order. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  /** A server whose callbacks a test can replace. */
  private abstract class Sum implements Server<Long, Msg> {
    @Override
    public FirstStep<Long, Msg> init(Self<Msg> self) throws Exception {
      return Next.with(0L);
    }

    @Override
    public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) throws Exception {
      return switch (message) {
        case Msg.Add(long more) -> Next.with(state + more);
        case Msg.Get(var replyTo) -> {
          replyTo.send(state);
          yield Next.same();
        }
        case Msg.Do(var what) -> what.onMessage(self, state, message);
        case Msg.Note(var text) -> {
          told.add(text);
          yield Next.same();
        }
      };
    }

    @Override
    public void terminate(Self<Msg> self, Long state, ExitReason reason) throws Exception {
      told.add("terminate " + state + " " + reason);
    }
  }

  private final class Plain extends Sum {}

  private Pid<Msg> start(Form form) {
    return Server.start(node, new Plain(), form.<Msg>options()).orThrow().pid();
  }

  @ParameterizedTest
  @EnumSource
  void messages_areHandledInOrderWithTheStateOfTheOneBefore(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(new Msg.Add(2));
    sum.send(new Msg.Add(3));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource
  void init_thatIgnores_endsNormallyAndTellsSo(Form form) {
    StartResult<Msg, Pid<Msg>> result =
        Server.start(
            node,
            new Sum() {
              @Override
              public FirstStep<Long, Msg> init(Self<Msg> self) {
                return FirstStep.ignore();
              }
            },
            form.<Msg>options());
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class, ended -> assertThat(ended.reason()).isEqualTo(new Ignored()));
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void stop_runsTerminateAndEndsWithTheReason(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(new Msg.Add(2));
    Sys.stop(sum, ExitReason.shutdown(), SOON);
    assertThat(told).containsExactly("terminate 2 shutdown");
    assertThat(sum.isAlive()).isFalse();
    assertThatThrownBy(() -> Sys.stop(sum, ExitReason.shutdown(), SOON))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("ended before");
  }

  @ParameterizedTest
  @EnumSource
  void parentsExit_endsATrappingServerInOrder_evenIfItTrapsWithItsOwnFunction(Form form) {
    Probe parent = Probe.start(Kind.EVENT, node);
    Pid<Msg> sum =
        parent.run(self ->
            Server.start(
                    self,
                    new Plain(),
                    form.<Msg>options()
                        .linked()
                        .trappingExits(exit -> new Msg.Note("exit " + exit.reason())))
                .orThrow()
                .pid());
    Probe other = Probe.start(Kind.EVENT, node);
    other.act(self -> self.link(sum));
    other.pid().exit(new ExitReason.Shutdown("other"));
    Await.until("the exit of the other is told", () -> told.contains("exit shutdown(other)"));
    parent.pid().exit(ExitReason.shutdown());
    Await.until("the server ends", () -> !sum.isAlive());
    assertThat(told).containsExactly("exit shutdown(other)", "terminate 0 shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void failure_runsTerminateOnceAndEndsWithIt(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(
        new Msg.Do(
            new Sum() {
              @Override
              public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
                throw new ExitException(new ExitReason.Shutdown("enough"));
              }
            }));
    Await.until("the server ends", () -> !sum.isAlive());
    assertThat(told).containsExactly("terminate 0 shutdown(enough)");
  }

  @ParameterizedTest
  @EnumSource
  void suspended_holdsMessagesBackUntilResumed(Form form) {
    Pid<Msg> sum = start(form);
    Sys.suspend(sum, SOON);
    sum.send(new Msg.Note("one"));
    sum.send(new Msg.Note("two"));
    assertThat(Sys.status(sum, SOON).suspended()).isTrue();
    assertThat(told).isEmpty();
    Sys.resume(sum, SOON);
    sum.send(new Msg.Note("three"));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isZero();
    assertThat(told).containsExactly("one", "two", "three");
  }

  // ---------------------------------------------------------------- init

  private StartResult<Msg, Pid<Msg>> startWith(Form form, Callable<FirstStep<Long, Msg>> init) {
    return Server.start(
        node,
        new Sum() {
          @Override
          public FirstStep<Long, Msg> init(Self<Msg> self) throws Exception {
            return init.call();
          }
        },
        form.<Msg>options().named(Name.of("sum")));
  }

  private void assertNotStarted(StartResult<Msg, Pid<Msg>> result, ExitReason reason) {
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class, ended -> assertThat(ended.reason()).isEqualTo(reason));
    assertThat(node.whereis(Name.of("sum"))).isEmpty();
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void init_thatStops_failsTheStartWithTheReason_withoutTerminate(Form form) {
    ExitReason reason = new ExitReason.Shutdown("no disk");
    assertNotStarted(startWith(form, () -> FirstStep.stop(reason)), reason);
    assertNotStarted(startWith(form, () -> Next.stop(0L, reason)), reason);
  }

  @ParameterizedTest
  @EnumSource
  void init_thatFails_failsTheStartWithTheReason_andIsNoCrash(Form form) {
    ExitReason reason = new ExitReason.Crash(new IOException("no disk"));
    assertNotStarted(startWith(form, () -> FirstStep.fail(reason)), reason);
    assertThat(events.of(KernelEvent.ProcessCrashed.class)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void init_thatThrows_failsTheStartWithWhatItThrew(Form form) {
    IOException thrown = new IOException("no disk");
    assertNotStarted(
        startWith(
            form,
            () -> {
              throw thrown;
            }),
        new ExitReason.Crash(thrown));
    ExitReason reason = new ExitReason.Shutdown("thrown");
    assertNotStarted(
        startWith(
            form,
            () -> {
              throw new ExitException(reason);
            }),
        reason);
  }

  @ParameterizedTest
  @EnumSource
  void init_thatAnswersNoState_isTold(Form form) {
    assertThatThrownBy(() -> startWith(form, Next::same).orThrow())
        .hasRootCauseMessage(
            "init answered Next.same(), but there is no state yet: answer Next.with(state)");
    assertThatThrownBy(() -> startWith(form, () -> null).orThrow())
        .hasRootCauseMessage("init answered null instead of a first step, such as Next.with(…)");
  }

  @ParameterizedTest
  @EnumSource
  void continuationOfInit_isHandledBeforeAMessageThatWasSentBeforeInitAnswered(Form form) {
    Pid<Msg> sum =
        Server.start(
                node,
                new Sum() {
                  @Override
                  public FirstStep<Long, Msg> init(Self<Msg> self) {
                    self.pid().send(new Msg.Note("message"));
                    return Next.continuing(7L, new Msg.Note("continuation"));
                  }
                },
                form.<Msg>options())
            .orThrow()
            .pid();
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(7);
    assertThat(told).containsExactly("continuation", "message");
  }

  // ---------------------------------------------------------------- continuations, idle times

  private static Msg.Do doing(Server<Long, Msg> what) {
    return new Msg.Do(what);
  }

  /** A message whose handler answers this. */
  private Msg answering(Function<Long, Next<Long, Msg>> next) {
    return doing(
        new Sum() {
          @Override
          public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
            return next.apply(state);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void init_canHibernate_andCanWaitForAnIdleTime(Form form) {
    Pid<Msg> asleep = startWith(form, () -> Next.hibernate(3L)).orThrow().pid();
    assertThat(asleep.<Long>call(Msg.Get::new, SOON)).isEqualTo(3);
    Sys.stop(asleep, ExitReason.normal(), SOON);
    Pid<Msg> idle =
        startWith(form, () -> Next.idle(4L, Duration.ofMillis(1), new Msg.Note("idle")))
            .orThrow()
            .pid();
    Await.until("the idle time is over", () -> told.contains("idle"));
    assertThat(idle.<Long>call(Msg.Get::new, SOON)).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void continuations_chain_beforeAnyQueuedMessage_andCanStop(Form form) {
    Pid<Msg> sum = start(form);
    Sys.suspend(sum, SOON);
    sum.send(
        answering(state ->
            Next.continuing(
                state + 1, answering(more -> Next.continuing(more + 1, new Msg.Note("chained"))))));
    sum.send(new Msg.Note("queued"));
    sum.send(
        answering(state ->
            Next.continuing(state, answering(last -> Next.stop(last, ExitReason.shutdown())))));
    Sys.resume(sum, SOON);
    Await.until("the server ends", () -> !sum.isAlive());
    assertThat(told).containsExactly("chained", "queued", "terminate 2 shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void idleTime_isOverWithoutAMessage_andAnyMessageEndsIt(Form form) {
    ManualClock clock = new ManualClock();
    node = restart(NodeOptions.defaults().withClock(clock));
    Pid<Msg> sum = start(form);
    sum.send(answering(state -> Next.idle(state, Duration.ofHours(1), new Msg.Note("idle"))));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isZero();
    clock.advance(Duration.ofHours(2));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isZero();
    assertThat(told).isEmpty();
    sum.send(answering(state -> Next.idle(state, Duration.ofHours(1), new Msg.Note("idle"))));
    assertThat(Sys.state(sum, SOON)).isEqualTo(0L);
    clock.advance(Duration.ofHours(2));
    Await.until("the idle time is over", () -> told.contains("idle"));
  }

  @ParameterizedTest
  @EnumSource
  void idleTimeOfZero_comesAfterWhatWaits(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(answering(state -> Next.idle(state, Duration.ZERO, new Msg.Note("idle"))));
    Await.until("the idle time is over", () -> told.contains("idle"));
    assertThatThrownBy(() -> Next.idle(1L, Duration.ofSeconds(-1), new Msg.Note("never")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the idle timeout is PT-1S, but it is a time to wait: give zero or more");
  }

  @ParameterizedTest
  @EnumSource
  void hibernate_keepsTheState(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(answering(state -> Next.hibernate(state + 4)));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(4);
  }

  // ---------------------------------------------------------------- answers

  @ParameterizedTest
  @EnumSource
  void reply_canComeLaterAndFromElsewhere(Form form) {
    record Late(CompletableFuture<ReplyTo<Long>> asked) implements Server<Long, Msg> {
      @Override
      public FirstStep<Long, Msg> init(Self<Msg> self) {
        return Next.with(0L);
      }

      @Override
      public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
        if (message instanceof Msg.Get(var replyTo)) {
          asked.complete(replyTo);
        }
        return Next.same();
      }
    }
    Late late = new Late(new CompletableFuture<>());
    Pid<Msg> pid = Server.start(node, late, form.<Msg>options()).orThrow().pid();
    Probe caller = Probe.start(Kind.DIRECT, node);
    CompletableFuture<Long> answer = caller.start(self -> pid.<Long>call(Msg.Get::new, SOON));
    Probe elsewhere = Probe.start(Kind.EVENT, node);
    ReplyTo<Long> replyTo = Await.result("the request", late.asked());
    elsewhere.act(self -> replyTo.send(42L));
    assertThat(Await.result("the answer", answer)).isEqualTo(42);
  }

  @ParameterizedTest
  @EnumSource
  void call_ofAServerThatEndsMeanwhile_failsWithItsReason(Form form) {
    for (ExitReason reason :
        List.of(ExitReason.normal(), ExitReason.shutdown(), new ExitReason.Shutdown("detail"))) {
      Pid<Msg> sum = start(form);
      sum.send(answering(state -> Next.stop(state, reason)));
      assertThatThrownBy(() -> sum.<Long>call(Msg.Get::new, SOON))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.reason()).isIn(reason, ExitReason.noProc()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void answerOfNull_endsTheServerAndSaysWhatIsMissing(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(answering(state -> null));
    Await.until("the server ends", () -> !sum.isAlive());
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("terminate 0 crash(java.lang.NullPointerException: onMessage answered null");
  }

  @ParameterizedTest
  @EnumSource
  void call_thatEndsTheServer_failsWithExactlyItsReason(Form form) {
    for (ExitReason reason :
        List.of(
            ExitReason.normal(),
            ExitReason.shutdown(),
            new ExitReason.Shutdown("detail"),
            new ExitReason.Crash(new IOException("no disk")))) {
      Pid<Msg> sum = start(form);
      assertThatThrownBy(
              () -> sum.<Long>call(_ -> answering(state -> Next.stop(state, reason)), SOON))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.reason()).isEqualTo(reason));
      assertThatThrownBy(() -> sum.<Long>call(Msg.Get::new, SOON))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.reason()).isEqualTo(ExitReason.noProc()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_whoseHandlerThrows_failsWithWhatItThrew_afterTerminate(Form form) {
    Pid<Msg> sum = start(form);
    IllegalStateException thrown = new IllegalStateException("broken");
    assertThatThrownBy(() ->
            sum.<Long>call(
                _ ->
                    answering(state -> {
                      throw thrown;
                    }),
                SOON))
        .isInstanceOfSatisfying(
            CallException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(new ExitReason.Crash(thrown));
              assertThat(told).singleElement().asString().startsWith("terminate 0");
            });
  }

  @ParameterizedTest
  @EnumSource
  void call_ofItself_failsAtOnce_howeverLongItWouldWait(Form form) {
    Pid<Msg> sum = start(form);
    for (Duration timeout : List.of(SOON, Sys.FOREVER)) {
      sum.send(
          doing(
              new Sum() {
                @Override
                public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
                  try {
                    told.add("got " + self.pid().<Long>call(Msg.Get::new, timeout));
                  } catch (CallException refused) {
                    told.add("refused");
                  }
                  return Next.same();
                }
              }));
      assertThat(sum.<Long>call(Msg.Get::new, SOON)).isZero();
    }
    assertThat(told).containsExactly("refused", "refused");
  }

  @ParameterizedTest
  @EnumSource
  void reply_afterTheTimeoutOfTheCall_neverReachesTheCallersMailbox(Form form) {
    Pid<Msg> sum = start(form);
    for (Kind kind : List.of(Kind.EVENT, Kind.DIRECT)) {
      Probe caller = Probe.trapping(kind, node);
      CompletableFuture<ReplyTo<Long>> asked = new CompletableFuture<>();
      assertThatThrownBy(() ->
              caller.run(self ->
                  sum.<Long>call(
                      replyTo -> {
                        asked.complete(replyTo);
                        return new Msg.Note("never answered in time");
                      },
                      Duration.ofMillis(5))))
          .isInstanceOf(CallTimeoutException.class);
      Await.result("the request", asked).send(42L);
      caller.assertQuiet();
      assertThat(node.info(caller.pid()).orElseThrow().mailbox()).isZero();
    }
  }

  // ---------------------------------------------------------------- the end

  @ParameterizedTest
  @EnumSource
  void kill_andUntrappedExit_endWithoutTerminate(Form form) {
    for (ExitReason reason : List.of(ExitReason.kill(), new ExitReason.Shutdown("not trapped"))) {
      Pid<Msg> sum = start(form);
      sum.exit(reason);
      Await.until("the server ends", () -> !sum.isAlive());
    }
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void terminateThatThrows_isTheReason_andRunsOnce(Form form) {
    Pid<Msg> sum =
        Server.start(
                node,
                new Sum() {
                  @Override
                  public void terminate(Self<Msg> self, Long state, ExitReason reason) {
                    told.add("terminate");
                    throw new IllegalStateException("cannot");
                  }
                },
                form.<Msg>options())
            .orThrow()
            .pid();
    assertThatThrownBy(() -> Sys.stop(sum, ExitReason.normal(), SOON))
        .isInstanceOf(CallException.class)
        .hasRootCauseMessage("cannot");
    assertThat(told).containsExactly("terminate");
  }

  @ParameterizedTest
  @EnumSource
  void crashReport_showsTheStateAsTheServerLetsItBeShown(Form form) {
    Pid<Msg> sum =
        Server.start(
                node,
                new Sum() {
                  @Override
                  public Object shown(Long state) {
                    return "secret of " + (state + 1) + " digits";
                  }
                },
                form.<Msg>options())
            .orThrow()
            .pid();
    assertThat(Sys.status(sum, SOON).state()).isEqualTo("secret of 1 digits");
    sum.send(
        answering(state -> {
          throw new IllegalStateException("broken");
        }));
    Await.until(
        "the crash is reported", () -> !events.of(KernelEvent.ProcessCrashed.class).isEmpty());
    var report = events.of(KernelEvent.ProcessCrashed.class).getFirst().report();
    assertThat(report.state()).isEqualTo("secret of 1 digits");
    assertThat(report.initialCall()).contains("ServerTest");
    assertThat(report.lastMessage()).startsWith("Do[");
  }
}
