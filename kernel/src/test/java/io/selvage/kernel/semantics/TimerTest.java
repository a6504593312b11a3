package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitException;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Self;
import io.selvage.kernel.Timer;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Timers, mostly on a clock that is moved by hand. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class TimerTest extends KernelTest {
  private final ManualClock clock = new ManualClock();

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  private static Timer set(Probe probe, Duration delay, Object what) {
    return probe.run(self -> self.sendAfter(delay, new Msg.Say(what)));
  }

  /** Lets everything fire that is due: a timer of another process that is due last has fired. */
  private void settle() {
    Probe bell = Probe.start(kind, node);
    Timer _ = set(bell, Duration.ofMillis(1), "ding");
    clock.advance(Duration.ofMillis(3));
    assertThat(bell.nextSaid()).isEqualTo("ding");
  }

  @Test
  void timer_beforeItsTime_doesNotFire_andThenFiresOnce() {
    Probe probe = Probe.start(kind, node);
    Timer timer = set(probe, Duration.ofSeconds(10), "now");
    clock.advance(Duration.ofMillis(9_900));
    settle();
    probe.assertQuiet();
    clock.advance(Duration.ofMillis(200));
    assertThat(probe.nextSaid()).isEqualTo("now");
    clock.advance(Duration.ofSeconds(100));
    settle();
    probe.assertQuiet();
    assertThat(timer.cancel()).isFalse();
    Await.until("no timer to be left", () -> node.stats().timers() == 0);
  }

  // F55
  @Test
  void timers_setOutOfOrder_fireInOrderOfTime() {
    List<Long> delays = List.of(500L, 5_000L, 100L, 0L, 300L, 400L, 200L, 86_400_000L, 60_000L);
    Probe stepwise = Probe.start(kind, node);
    delays.forEach(millis -> set(stepwise, Duration.ofMillis(millis), millis));
    assertThat(stepwise.nextSaid()).isEqualTo(0L);
    long passed = 0;
    for (long millis : delays.stream().sorted().skip(1).toList()) {
      clock.advance(Duration.ofMillis(millis - passed));
      settle();
      passed = millis + 3;
      assertThat(stepwise.nextSaid()).isEqualTo(millis);
      stepwise.assertQuiet();
    }
  }

  // F55
  @Test
  void timers_allDueAtOnce_fireInOrderOfTime() {
    List<Long> delays =
        LongStream.range(0, 500).mapToObj(i -> 1 + (i * 7_919_777) % 100_000_003L).toList();
    Probe probe = Probe.start(kind, node);
    // Two milliseconds apart at least: those nearer to each other may come in any order.
    delays.forEach(millis -> set(probe, Duration.ofMillis(2 * millis), millis));
    clock.advance(Duration.ofMillis(2 * 100_000_003L + 10));
    List<Object> fired = new ArrayList<>();
    for (int i = 0; i < delays.size(); i++) {
      fired.add(probe.nextSaid());
    }
    assertThat(fired).isEqualTo(delays.stream().sorted().map(Object.class::cast).toList());
    probe.assertQuiet();
  }

  @Test
  void timer_withZero_firesWithoutTimePassing() {
    Probe probe = Probe.start(kind, node);
    Timer _ = set(probe, Duration.ZERO, "now");
    assertThat(probe.nextSaid()).isEqualTo("now");
  }

  @Test
  void timer_withVeryLongDelay_isAcceptedAndCanBeCancelled() {
    Probe probe = Probe.start(kind, node);
    Timer timer = set(probe, Duration.ofSeconds(Long.MAX_VALUE), "never");
    Timer centuries = set(probe, Duration.ofDays(100 * 365), "late");
    for (int i = 0; i < 50; i++) {
      clock.advance(Duration.ofDays(365));
    }
    settle();
    probe.assertQuiet();
    assertThat(centuries.cancel()).isTrue();
    assertThat(timer.cancel()).isTrue();
    assertThat(node.stats().timers()).isZero();
  }

  // F51
  @Test
  void cancel_beforeItFires_wins() {
    Probe probe = Probe.start(kind, node);
    Timer timer = set(probe, Duration.ofSeconds(1), "never");
    Timer byOther = set(probe, Duration.ofSeconds(1), "never");
    assertThat(node.stats().timers()).isEqualTo(2);
    assertThat(probe.<Boolean>run(_ -> timer.cancel())).isTrue();
    assertThat(byOther.cancel()).isTrue(); // from any thread
    assertThat(node.stats().timers()).isZero();
    assertThat(timer.cancel()).isFalse();
    clock.advance(Duration.ofSeconds(2));
    settle();
    probe.assertQuiet();
  }

  // F50
  @Test
  void cancel_afterItFired_losesAndTheMessageIsThere() {
    Probe probe = Probe.start(kind, node);
    Timer timer = set(probe, Duration.ofSeconds(1), "came");
    clock.advance(Duration.ofSeconds(2));
    assertThat(probe.nextSaid()).isEqualTo("came");
    assertThat(timer.cancel()).isFalse();
    assertThat(probe.<Boolean>run(_ -> timer.cancel())).isFalse();
    probe.assertQuiet();
  }

  // F56, F57
  @Test
  void timers_ofProcessThatEnds_areReleased() {
    Probe killed = Probe.start(kind, node);
    Probe crashed = Probe.start(kind, node);
    Probe staying = Probe.start(kind, node);
    for (Probe each : List.of(killed, crashed, staying)) {
      each.act(self -> {
        for (int i = 1; i <= 1_000; i++) {
          self.sendAfter(Duration.ofSeconds(i), new Msg.Say(i));
        }
      });
    }
    assertThat(node.stats().timers()).isEqualTo(3_000);
    killed.pid().kill();
    crashed.tell(_ -> {
      throw new ExitException(Reasons.DIE);
    });
    Await.until("two thirds to be released", () -> node.stats().timers() == 1_000);
    clock.advance(Duration.ofSeconds(2_000));
    for (int i = 1; i <= 1_000; i++) {
      assertThat(staying.nextSaid()).isEqualTo(i);
    }
    assertThat(node.stats().timers()).isZero();
    assertThat(node.stats().undelivered()).isZero();
    settle();
  }

  // F53: a lost cancel means that the message is in the mailbox
  @Test
  void cancel_againstFiring_winsOrFindsTheMessage() {
    node = start(kind.configure(NodeOptions.defaults())); // on real time
    Referee.run(
        node,
        kind,
        Rounds.part(50),
        () ->
            new Referee() {
              private boolean won;
              private boolean came;

              @Override
              void round(Self<Msg> self) {
                came = false;
                int micros = 1 + random.nextInt(1_200);
                Timer timer =
                    self.sendAfter(Duration.ofNanos(1_000L * micros), new Msg.Say("timer"));
                long until = System.nanoTime() + 1_000L * random.nextInt(1_500);
                while (System.nanoTime() < until) {
                  Thread.onSpinWait();
                }
                won = timer.cancel();
                check(!timer.cancel(), "cancelled twice");
                mark(self);
              }

              @Override
              void said(Self<Msg> self, Object what) throws Exception {
                if (what.equals("timer")) {
                  check(!won, "came although it was cancelled");
                  check(!came, "came twice");
                  came = true;
                } else {
                  check(won || came, "neither cancelled nor in the mailbox");
                  over(self);
                }
              }
            });
    assertThat(node.stats().timers()).isZero();
  }
}
