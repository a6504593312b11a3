package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.ManualClock;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timeouts of state machines, by a clock that the test moves. */
class StateMachineTimeoutTest extends MachineTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A timer goes off at the next tick of its wheel, which is a little more than a millisecond. */
  private static final Duration TICK = Duration.ofMillis(2);

  private final ManualClock clock = new ManualClock();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return defaults.withClock(clock);
  }

  private void awaitTold(String what) {
    Await.until(what, () -> told.contains(what));
  }

  /** Lets all timers go off that are due within a time, and waits for a later one to prove it. */
  private void letPass(Pid<Event> machine, Duration time) {
    Duration later = time.plus(TICK);
    send(machine, "set", (now, _, _) -> now.stay().timeout("last", later, plain("proof")));
    settled(machine);
    clock.advance(later.plus(TICK));
    Await.until("the proof", () -> told.removeIf(line -> line.contains(" proof ")));
    settled(machine);
  }

  @ParameterizedTest
  @EnumSource
  void stateTimeout_comesAfterItsTime_thoughEventsCome(Form form) {
    Pid<Event> machine = start(form);
    send(machine, "set", (now, _, _) -> now.stay().stateTimeout(SECOND, plain("late")));
    send(machine, "other", STAY);
    settled(machine);
    clock.advance(SECOND.minus(TICK));
    settled(machine);
    assertThat(told).noneMatch(line -> line.contains("late"));
    clock.advance(TICK.multipliedBy(2));
    awaitTold("STATE_TIMEOUT late in start");
  }

  @ParameterizedTest
  @EnumSource
  void stateTimeout_endsWithTheState_evenByAnInsertedEvent_andNotIfItStays(Form form) {
    Pid<Event> machine = start(form);
    send(machine, "set", (now, _, _) -> now.stay().stateTimeout(SECOND, plain("late")));
    send(machine, "same", (now, _, _) -> now.to("start"));
    letPass(machine, SECOND);
    assertThat(told).contains("STATE_TIMEOUT late in start");
    told.clear();
    send(
        machine,
        "set",
        (now, _, _) ->
            now.stay()
                .stateTimeout(Duration.ZERO, plain("late"))
                .insert(new Event("go", (then, _, _) -> then.to("next"))));
    letPass(machine, SECOND);
    assertThat(told).noneMatch(line -> line.contains("late"));
  }

  @ParameterizedTest
  @EnumSource
  void stateTimeoutOfATransition_isThatOfTheNewState(Form form) {
    Pid<Event> machine = start(form);
    send(machine, "old", (now, _, _) -> now.stay().stateTimeout(SECOND, plain("old")));
    send(machine, "go", (now, _, _) -> now.to("next").stateTimeout(SECOND, plain("new")));
    letPass(machine, SECOND);
    assertThat(told).contains("STATE_TIMEOUT new in next");
    assertThat(told).noneMatch(line -> line.contains("STATE_TIMEOUT old"));
  }

  /** Case 76: timeouts are set once the entry is done. */
  @ParameterizedTest
  @EnumSource
  void timeoutOfATransition_beginsAfterTheEntry(Form form) {
    entries.put(
        "next",
        (now, _, _) -> {
          clock.advance(SECOND.multipliedBy(2));
          return now.stay();
        });
    Pid<Event> machine = start(form);
    send(machine, "go", (now, _, _) -> now.to("next").stateTimeout(SECOND, plain("late")));
    letPass(machine, TICK);
    assertThat(told).contains("start -> next");
    assertThat(told).noneMatch(line -> line.contains("late"));
    clock.advance(SECOND);
    awaitTold("STATE_TIMEOUT late in next");
  }

  @ParameterizedTest
  @EnumSource
  void eventTimeout_endsWithAnyEvent(Form form) {
    Pid<Event> machine = start(form);
    send(machine, "set", (now, _, _) -> now.stay().eventTimeout(SECOND, plain("idle")));
    settled(machine);
    clock.advance(SECOND.plus(TICK));
    awaitTold("EVENT_TIMEOUT idle in start");
    told.clear();
    send(machine, "set", (now, _, _) -> now.stay().eventTimeout(SECOND, plain("idle")));
    send(machine, "any", STAY);
    letPass(machine, SECOND);
    assertThat(told).noneMatch(line -> line.contains("idle"));
  }

  @ParameterizedTest
  @EnumSource
  void namedTimeouts_surviveStatesAndEvents_eachOnItsOwn(Form form) {
    Pid<Event> machine = start(form);
    send(
        machine,
        "set",
        (now, _, _) ->
            now.stay()
                .timeout("a", SECOND, plain("A"))
                .timeout("b", SECOND.multipliedBy(2), plain("B"))
                .timeout("c", SECOND, plain("C")));
    send(machine, "go", (now, _, _) -> now.to("next").cancelTimeout("c").cancelTimeout("none"));
    letPass(machine, SECOND);
    assertThat(told).contains("NAMED_TIMEOUT a A in next");
    assertThat(told).noneMatch(line -> line.startsWith("NAMED_TIMEOUT b"));
    letPass(machine, SECOND);
    assertThat(told).contains("NAMED_TIMEOUT b B in next");
    assertThat(told).noneMatch(line -> line.contains("c C"));
  }

  @ParameterizedTest
  @EnumSource
  void timeoutSetAgain_replacesTheFirst_andUpdateKeepsItsTime(Form form) {
    Pid<Event> machine = start(form);
    send(machine, "set", (now, _, _) -> now.stay().timeout("t", SECOND, plain("one")));
    send(
        machine,
        "again",
        (now, _, _) -> now.stay().timeout("t", SECOND.multipliedBy(2), plain("two")));
    letPass(machine, SECOND);
    assertThat(told).noneMatch(line -> line.startsWith("NAMED_TIMEOUT t"));
    send(machine, "update", (now, _, _) -> now.stay().updateTimeout("t", plain("three")));
    letPass(machine, SECOND);
    assertThat(told).contains("NAMED_TIMEOUT t three in start");
    assertThat(told).noneMatch(line -> line.contains("one in") || line.contains("two in"));
  }

  @ParameterizedTest
  @EnumSource
  void updateOfNone_setsOneOfZero(Form form) {
    Pid<Event> machine = start(form);
    send(
        machine,
        "update",
        (now, _, _) -> now.stay().updateStateTimeout(plain("s")).updateTimeout("t", plain("n")));
    settled(machine);
    assertThat(told)
        .endsWith("update in start", "STATE_TIMEOUT s in start", "NAMED_TIMEOUT t n in start");
    send(machine, "event", (now, _, _) -> now.stay().updateEventTimeout(plain("e")));
    settled(machine);
    assertThat(told).endsWith("event in start", "EVENT_TIMEOUT e in start");
  }

  @ParameterizedTest
  @EnumSource
  void cancelled_doNotCome_evenIfTheirMessageIsInTheMailbox(Form form) {
    Pid<Event> machine = start(form);
    send(
        machine,
        "set",
        (now, _, _) ->
            now.stay().stateTimeout(SECOND, plain("s")).timeout("t", SECOND, plain("t")));
    settled(machine);
    Sys.suspend(machine, SOON);
    send(
        machine,
        "cancel",
        (now, _, _) ->
            now.stay()
                .eventTimeout(SECOND, plain("e"))
                .cancelEventTimeout()
                .cancelStateTimeout()
                .cancelTimeout("t"));
    clock.advance(SECOND.plus(TICK));
    Await.until("both timers are over", () -> node.stats().timers() == 0);
    settled(machine);
    Sys.resume(machine, SOON);
    letPass(machine, SECOND);
    assertThat(told).noneMatch(line -> line.contains("TIMEOUT"));
  }

  @ParameterizedTest
  @EnumSource
  void zeroTimeouts_comeInTheirOrderBeforeTheNextMessage(Form form) {
    Pid<Event> machine = start(form);
    Sys.suspend(machine, SOON);
    send(
        machine,
        "set",
        (now, _, _) ->
            now.stay()
                .timeout("t", Duration.ZERO, plain("n"))
                .stateTimeout(Duration.ZERO, plain("s")));
    send(machine, "next", STAY);
    Sys.resume(machine, SOON);
    settled(machine);
    assertThat(told)
        .endsWith(
            "set in start",
            "NAMED_TIMEOUT t n in start",
            "STATE_TIMEOUT s in start",
            "next in start");
  }

  /** Case 76, as Erlang/OTP 25 does it: those of the entry come last, and replace by their name. */
  @ParameterizedTest
  @EnumSource
  void timeoutsOfAnEntry_areSetAfterThoseOfTheTransition(Form form) {
    entries.put(
        "next", (now, _, _) -> now.stay().stateTimeout(Duration.ZERO, plain("of the entry")));
    Pid<Event> machine = start(form);
    send(
        machine,
        "go",
        (now, _, _) ->
            now.to("next")
                .stateTimeout(Duration.ZERO, plain("of the transition"))
                .timeout("t", Duration.ZERO, plain("named")));
    settled(machine);
    assertThat(told)
        .endsWith(
            "start -> next", "NAMED_TIMEOUT t named in next", "STATE_TIMEOUT of the entry in next");
    assertThat(told).noneMatch(line -> line.contains("of the transition"));
  }

  @ParameterizedTest
  @EnumSource
  void suspended_holdsATimeoutBack(Form form) {
    Pid<Event> machine = start(form);
    send(machine, "set", (now, _, _) -> now.stay().stateTimeout(SECOND, plain("late")));
    settled(machine);
    Sys.suspend(machine, SOON);
    clock.advance(SECOND.plus(TICK));
    Await.until("the timer is over", () -> node.stats().timers() == 0);
    settled(machine);
    assertThat(told).noneMatch(line -> line.contains("late"));
    Sys.resume(machine, SOON);
    awaitTold("STATE_TIMEOUT late in start");
  }

  @ParameterizedTest
  @EnumSource
  void negativeTime_isRefused(Form form) {
    Pid<Event> machine = start(form);
    assertThatThrownBy(() ->
            machine.<String>call(
                _ ->
                    new Event(
                        "set",
                        (now, _, _) -> now.stay().stateTimeout(Duration.ofMillis(-1), plain("x"))),
                SOON))
        .hasMessageContaining("PT-0.001S");
  }
}
