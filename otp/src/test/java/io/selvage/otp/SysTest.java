package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every behaviour can be asked, asked of a server. */
class SysTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;

  sealed interface Msg {
    record Add(long more) implements Msg {}

    record Get(ReplyTo<Long> replyTo) implements Msg {}
  }

  private static final class Sum implements Server<Long, Msg> {
    @Override
    public FirstStep<Long, Msg> init(Self<Msg> self) {
      return Next.with(0L);
    }

    @Override
    public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
      return switch (message) {
        case Msg.Add(long more) -> Next.with(state + more);
        case Msg.Get(var replyTo) -> {
          replyTo.send(state);
          yield Next.same();
        }
      };
    }
  }

  private Pid<Msg> start(Form form) {
    return Server.start(node, new Sum(), form.<Msg>options()).orThrow().pid();
  }

  @ParameterizedTest
  @EnumSource
  void state_isShownAndReplaced(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(new Msg.Add(3));
    assertThat(Sys.state(sum, SOON)).isEqualTo(3L);
    assertThat(Sys.<Long>replaceState(sum, Long.class, three -> three * 10, SOON)).isEqualTo(30);
    sum.send(new Msg.Add(3));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(33);
  }

  @ParameterizedTest
  @EnumSource
  void replacementThatFails_leavesTheStateAndTheServer(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(new Msg.Add(3));
    assertThatThrownBy(() ->
            Sys.<Long>replaceState(
                sum,
                Long.class,
                three -> {
                  throw new ArithmeticException("no");
                },
                SOON))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "was not replaced: the change threw java.lang.ArithmeticException: no")
        .hasCauseInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Sys.replaceState(sum, String.class, text -> text, SOON))
        .hasCauseInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> Sys.<Long>replaceState(sum, Long.class, three -> null, SOON))
        .hasMessageContaining("the new state is null");
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void statistics_countWhatIsHandledAndWhatWaits(Form form) {
    Pid<Msg> sum = start(form);
    assertThat(Sys.statistics(sum, SOON)).isEmpty();
    Sys.beginStatistics(sum, SOON);
    sum.send(new Msg.Add(1));
    sum.send(new Msg.Add(1));
    assertThat(Sys.statistics(sum, SOON).orElseThrow().messages()).isEqualTo(2);
    Sys.suspend(sum, SOON);
    sum.send(new Msg.Add(1));
    Statistics held = Sys.statistics(sum, SOON).orElseThrow();
    assertThat(held.messages()).isEqualTo(2);
    assertThat(held.waiting()).isEqualTo(1);
    Sys.resume(sum, SOON);
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(3);
    assertThat(Sys.endStatistics(sum, SOON).orElseThrow().messages()).isEqualTo(4);
    assertThat(Sys.statistics(sum, SOON)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void trace_tellsASinkUntilItIsTakenAway(Form form) {
    Pid<Msg> sum = start(form);
    List<SystemEvent> seen = new CopyOnWriteArrayList<>();
    Sys.trace(sum, seen::add, SOON);
    sum.send(new Msg.Add(5));
    assertThat(Sys.state(sum, SOON)).isEqualTo(5L);
    assertThat(seen)
        .containsExactly(
            new SystemEvent.Received(sum, new Msg.Add(5)), new SystemEvent.Continued(sum, 5L));
    Sys.untrace(sum, SOON);
    sum.send(new Msg.Add(5));
    assertThat(Sys.state(sum, SOON)).isEqualTo(10L);
    assertThat(seen).hasSize(2);
    Sys.trace(sum, seen::add, SOON);
    Sys.stop(sum, ExitReason.normal(), SOON);
    assertThat(seen.getLast()).isEqualTo(new SystemEvent.Stopped(sum, ExitReason.normal()));
  }

  @ParameterizedTest
  @EnumSource
  void sinkThatThrows_isToldNoMore_andTheServerLives(Form form) {
    Pid<Msg> sum = start(form);
    List<SystemEvent> seen = new CopyOnWriteArrayList<>();
    Sys.trace(
        sum,
        event -> {
          seen.add(event);
          throw new IllegalStateException("a fault of the sink");
        },
        SOON);
    sum.send(new Msg.Add(1));
    sum.send(new Msg.Add(1));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(2);
    assertThat(seen).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void suspended_canBeStopped_andWhatItHeldBackIsDeadLetters(Form form) {
    Pid<Msg> sum = start(form);
    long before = node.stats().unread();
    Sys.suspend(sum, SOON);
    Sys.suspend(sum, SOON);
    sum.send(new Msg.Add(1));
    sum.send(new Msg.Add(1));
    Sys.stop(sum, ExitReason.shutdown(), SOON);
    assertThat(node.stats().unread() - before).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void suspended_holdsMoreThanAStashUsuallyDoes(Form form) {
    Pid<Msg> sum = start(form);
    Sys.suspend(sum, SOON);
    for (int i = 0; i < 5_000; i++) {
      sum.send(new Msg.Add(1));
    }
    assertThat(Sys.status(sum, SOON).suspended()).isTrue();
    Sys.resume(sum, SOON);
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(5_000);
  }

  @ParameterizedTest
  @EnumSource
  void status_tellsWhatItIs(Form form) {
    Pid<Msg> sum = start(form);
    SystemStatus status = Sys.status(sum, SOON);
    assertThat(status.pid()).isEqualTo(sum);
    assertThat(status.behaviour()).isEqualTo("server");
    assertThat(status.code()).isEqualTo(Sum.class);
    assertThat(status.suspended()).isFalse();
  }

  @Test
  void processThatIsNoBehaviour_isRefused_andDoesNotNoticeIt() {
    Probe probe = Probe.start(Kind.EVENT, node);
    assertThatThrownBy(() -> Sys.state(probe.pid(), SOON))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no server, state machine or other behaviour");
    probe.act(self -> {});
    assertThat(events.of(KernelEvent.ProcessCrashed.class)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void dead_isTold(Form form) {
    Pid<Msg> sum = start(form);
    Sys.stop(sum, ExitReason.normal(), SOON);
    assertThatThrownBy(() -> Sys.state(sum, SOON))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason()).isEqualTo(ExitReason.noProc()));
  }
}
