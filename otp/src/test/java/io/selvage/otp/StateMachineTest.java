package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** State machines: the order of a transition, calls, entries, and the end. */
class StateMachineTest extends MachineTest {
  // ---------------------------------------------------------------- order

  @ParameterizedTest
  @EnumSource
  void stateChange_handlesInsertedThenPostponed_andDropsAZeroEventTimeout(Form form) {
    Pid<Event> machine = start(form);
    sendForLater(machine, "cast1");
    sendForLater(machine, "cast2");
    send(
        machine,
        "go",
        (now, _, _) ->
            now.to("buffer")
                .insert(plain("x3"))
                .insert(plain("x4"))
                .eventTimeout(Duration.ZERO, plain("never")));
    settled(machine);
    assertThat(told)
        .containsExactly(
            "start -> start",
            "cast1 in start",
            "cast2 in start",
            "go in start",
            "start -> buffer",
            "INSERTED x3 in buffer",
            "INSERTED x4 in buffer",
            "cast1 in buffer",
            "cast2 in buffer");
  }

  @ParameterizedTest
  @EnumSource
  void sameState_neitherRetriesNorEnters_byStayingOrGoingThere(Form form) {
    Pid<Event> machine = start(form);
    sendForLater(machine, "later");
    send(machine, "stay", (now, _, data) -> now.stay(data + 1));
    send(machine, "same", (now, _, data) -> now.to(new String("start"), data + 1));
    assertThat(settled(machine)).isEqualTo(new StateAndData<>("start", 2));
    assertThat(told)
        .containsExactly("start -> start", "later in start", "stay in start", "same in start");
  }

  @ParameterizedTest
  @EnumSource
  void repeat_entersAgainFromTheSameState_andDoesNotRetry(Form form) {
    Pid<Event> machine = start(form);
    sendForLater(machine, "later");
    send(machine, "repeat", (now, _, _) -> now.repeat(7));
    assertThat(settled(machine)).isEqualTo(new StateAndData<>("start", 7));
    assertThat(told)
        .containsExactly("start -> start", "later in start", "repeat in start", "start -> start");
  }

  @ParameterizedTest
  @EnumSource
  void postponedAndChanging_isHandledAgainInTheNewState_afterOlderOnes(Form form) {
    Pid<Event> machine = start(form);
    sendForLater(machine, "older");
    send(
        machine,
        "both",
        (now, state, _) -> state.equals("start") ? now.to("next").postpone() : now.stay());
    settled(machine);
    assertThat(told)
        .containsExactly(
            "start -> start",
            "older in start",
            "both in start",
            "start -> next",
            "older in next",
            "both in next");
  }

  @ParameterizedTest
  @EnumSource
  void insertedOfEveryKind_areHandledAsSuch_andCanBePostponedAsSuch(Form form) {
    Pid<Event> machine = start(form);
    Act later = (now, state, _) -> state.equals("start") ? now.stay().postpone() : now.stay();
    send(
        machine,
        "go",
        (now, _, _) ->
            now.stay()
                .insert(EventKind.MESSAGE, new Event("a", later))
                .insert(EventKind.EVENT_TIMEOUT, new Event("b", later))
                .insert(EventKind.STATE_TIMEOUT, new Event("c", later))
                .insertTimeout("name", new Event("d", later))
                .insert(new Event("e", later)));
    send(machine, "on", (now, _, _) -> now.to("next"));
    settled(machine);
    assertThat(told)
        .containsExactly(
            "start -> start",
            "go in start",
            "a in start",
            "EVENT_TIMEOUT b in start",
            "STATE_TIMEOUT c in start",
            "NAMED_TIMEOUT name d in start",
            "INSERTED e in start",
            "on in start",
            "start -> next",
            "a in next",
            "EVENT_TIMEOUT b in next",
            "STATE_TIMEOUT c in next",
            "NAMED_TIMEOUT name d in next",
            "INSERTED e in next");
  }

  @ParameterizedTest
  @EnumSource
  void init_canInsertAndSetTimeouts_handledBeforeTheFirstMessage(Form form) {
    Pid<Event> machine =
        start(
            form,
            (now, _, _) -> {
              now.self().pid().send(plain("sent"));
              return now.to("start", 1)
                  .stateTimeout(Duration.ZERO, plain("late"))
                  .insert(plain("first"));
            });
    settled(machine);
    assertThat(told)
        .containsExactly(
            "start -> start",
            "INSERTED first in start",
            "STATE_TIMEOUT late in start",
            "sent in start");
  }

  // ---------------------------------------------------------------- entries

  @ParameterizedTest
  @EnumSource
  void entry_repliesSetsTimeoutsChangesDataAndRepeats(Form form) {
    AtomicReference<ReplyTo<String>> asked = new AtomicReference<>();
    AtomicInteger times = new AtomicInteger();
    entries.put(
        "next",
        (now, _, data) ->
            times.incrementAndGet() < 3
                ? now.repeat(data + 1)
                : now.stay(data + 1)
                    .reply(asked.get(), "entered")
                    .stateTimeout(Duration.ZERO, plain("late")));
    Pid<Event> machine = start(form);
    String reply =
        machine.<String>call(
            replyTo -> {
              asked.set(replyTo);
              return new Event("go", (now, _, _) -> now.to("next"));
            },
            SOON);
    assertThat(reply).isEqualTo("entered");
    assertThat(settled(machine)).isEqualTo(new StateAndData<>("next", 3));
    assertThat(told)
        .containsExactly(
            "start -> start",
            "go in start",
            "start -> next",
            "next -> next",
            "next -> next",
            "STATE_TIMEOUT late in next");
  }

  @ParameterizedTest
  @EnumSource
  void entry_thatPostponesInsertsOrChangesTheState_isAFault(Form form) {
    entries.put("a", (now, _, _) -> now.stay().postpone());
    entries.put("b", (now, _, _) -> now.stay().insert(plain("x")));
    entries.put("c", (now, _, _) -> now.to("d"));
    for (String state : entries.keySet()) {
      Pid<Event> machine = start(form);
      assertThatThrownBy(
              () -> machine.<String>call(_ -> new Event("go", (now, _, _) -> now.to(state)), SOON))
          .isInstanceOf(CallException.class)
          .hasMessageContaining("onEntry");
    }
  }

  @ParameterizedTest
  @EnumSource
  void entry_canStop(Form form) {
    entries.put("end", (now, _, _) -> now.stop(ExitReason.shutdown(), 9));
    Pid<Event> machine = start(form);
    send(machine, "go", (now, _, _) -> now.to("end"));
    awaitEnd(machine);
    assertThat(told).endsWith("start -> end", "terminate end 9 shutdown");
  }

  // ---------------------------------------------------------------- calls and the end

  @ParameterizedTest
  @EnumSource
  void call_isAnsweredAtOnceOrByALaterEvent(Form form) {
    Pid<Event> machine = start(form);
    assertThat(
            machine.<String>call(
                replyTo -> new Event("now", (now, state, _) -> now.stay().reply(replyTo, state)),
                SOON))
        .isEqualTo("start");
    CompletionStage<String> later =
        machine.callAsync(
            (ReplyTo<String> replyTo) ->
                new Event(
                    "later",
                    (now, state, _) ->
                        state.equals("start")
                            ? now.stay().postpone()
                            : now.stay().reply(replyTo, state)),
            SOON);
    send(machine, "go", (now, _, _) -> now.to("next"));
    assertThat(Await.result("the reply", later.toCompletableFuture())).isEqualTo("next");
  }

  /** Asks twice; the second question is answered "two", by what answers the first one "one". */
  private static void askTwice(
      Probe asker,
      Pid<Event> machine,
      Function<Moment<String, Integer, Event>, Transition<String, Integer, Event>> decision) {
    AtomicReference<ReplyTo<String>> first = new AtomicReference<>();
    asker.act(self -> {
      self.<Event, String>request(
          machine,
          replyTo -> {
            first.set(replyTo);
            return plain("first");
          },
          SOON,
          outcome -> new Msg.Say(outcome.orThrow()));
      self.<Event, String>request(
          machine,
          second ->
              new Event(
                  "second",
                  (now, _, _) ->
                      decision.apply(now).reply(first.get(), "one").reply(second, "two")),
          SOON,
          outcome -> new Msg.Say(outcome.orThrow()));
    });
  }

  /** Cases 76 and 83. */
  @ParameterizedTest
  @EnumSource
  void replies_areSentInTheirOrder_beforeTheEntry_andBeforeTheEnd(Form form) {
    Probe asker = Probe.start(Kind.EVENT, node);
    entries.put(
        "next",
        (now, _, _) -> {
          told.add(asker.nextSaid() + ", " + asker.nextSaid()); // waits for them
          return now.stay();
        });
    Pid<Event> machine = start(form);
    askTwice(asker, machine, now -> now.to("next"));
    assertThat(settled(machine)).isEqualTo(new StateAndData<>("next", 0));
    assertThat(told).endsWith("start -> next", "one, two");
    askTwice(asker, machine, now -> now.stop(ExitReason.shutdown()));
    assertThat(asker.nextSaid()).isEqualTo("one");
    assertThat(asker.nextSaid()).isEqualTo("two");
    awaitEnd(machine);
  }

  @ParameterizedTest
  @EnumSource
  void stop_repliesFirst_thenTerminatesWithTheReason(Form form) {
    Pid<Event> machine = start(form);
    String reply =
        machine.<String>call(
            replyTo ->
                new Event(
                    "stop",
                    (now, _, _) -> now.stop(ExitReason.shutdown(), 3).reply(replyTo, "bye")),
            SOON);
    assertThat(reply).isEqualTo("bye");
    awaitEnd(machine);
    assertThat(told).endsWith("terminate start 3 shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void end_leavesPostponedAndInsertedAsUnread(Form form) {
    Pid<Event> machine = start(form);
    sendForLater(machine, "one");
    sendForLater(machine, "two");
    send(
        machine,
        "go",
        (now, _, _) ->
            now.stay()
                .insert(new Event("stop", (then, _, _) -> then.stop(ExitReason.normal())))
                .insert(plain("left")));
    awaitEnd(machine);
    Await.until("three unread", () -> node.stats().unread() == 3);
  }

  @ParameterizedTest
  @EnumSource
  void exitSignal_endsAMachineBetweenTwoOfItsOwnEvents(Form form) {
    AtomicInteger handled = new AtomicInteger();
    Act again =
        new Act() {
          @Override
          public Transition<String, Integer, Event> on(
              Moment<String, Integer, Event> now, String state, int data) {
            handled.incrementAndGet();
            told.clear();
            return now.stay().insert(new Event("again", this));
          }
        };
    Pid<Event> endless = start(form);
    send(endless, "begin", again);
    Await.until("it runs", () -> handled.get() > 100);
    endless.exit(ExitReason.shutdown());
    awaitEnd(endless);
  }

  @ParameterizedTest
  @EnumSource
  void failures_inEventAndEntry_terminateOnceWithTheReason(Form form) {
    Pid<Event> first = start(form);
    send(
        first,
        "fail",
        (_, _, _) -> {
          throw new ExitException(new ExitReason.Shutdown("event"));
        });
    awaitEnd(first);
    assertThat(told).endsWith("fail in start", "terminate start 0 shutdown(event)");
    told.clear();
    entries.put(
        "next",
        (_, _, _) -> {
          throw new ExitException(new ExitReason.Shutdown("entry"));
        });
    Pid<Event> second = start(form);
    send(second, "go", (now, _, _) -> now.to("next", 5));
    awaitEnd(second);
    assertThat(told).endsWith("start -> next", "terminate next 5 shutdown(entry)");
  }

  @ParameterizedTest
  @EnumSource
  void nullOrAForeignDecision_isAFault_andTellsSo(Form form) {
    Pid<Event> machine = start(form);
    assertThatThrownBy(() -> machine.<String>call(_ -> new Event("none", (_, _, _) -> null), SOON))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("onEvent answered null");
    AtomicReference<Transition<String, Integer, Event>> kept = new AtomicReference<>();
    Pid<Event> other = start(form);
    send(
        other,
        "keep",
        (now, _, _) -> {
          Transition<String, Integer, Event> made = now.stay();
          kept.set(made);
          return made;
        });
    settled(other);
    assertThatThrownBy(
            () -> other.<String>call(_ -> new Event("old", (_, _, _) -> kept.get()), SOON))
        .hasMessageContaining("a decision of another call");
  }

  @ParameterizedTest
  @EnumSource
  void momentOutsideItsCallback_isRefused(Form form) {
    AtomicReference<Moment<String, Integer, Event>> kept = new AtomicReference<>();
    Pid<Event> machine =
        start(
            form,
            (now, _, _) -> {
              kept.set(now);
              return now.to("start", 0);
            });
    settled(machine);
    assertThatThrownBy(() -> kept.get().stay())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("outside of the callback");
  }

  @ParameterizedTest
  @EnumSource
  void lastDecisionCounts_withoutTheActionsOfOthers(Form form) {
    Pid<Event> machine = start(form);
    send(
        machine,
        "twice",
        (now, _, _) -> {
          now.to("wrong", 9).insert(plain("wrong")).postpone();
          return now.stay();
        });
    assertThat(settled(machine)).isEqualTo(new StateAndData<>("start", 0));
    assertThat(told).containsExactly("start -> start", "twice in start");
  }

  // ---------------------------------------------------------------- the start

  @ParameterizedTest
  @EnumSource
  void init_thatIgnoresStopsOrFails_doesNotRun(Form form) {
    ExitReason why = new ExitReason.Shutdown("why");
    assertReason(form, (now, _, _) -> now.ignore(), new Ignored());
    assertReason(form, (now, _, _) -> now.stop(why), why);
    assertReason(form, (now, _, _) -> now.fail(why), why);
    assertThat(told).isEmpty();
  }

  private void assertReason(Form form, Act first, ExitReason reason) {
    StartResult<Event, Pid<Event>> result =
        StateMachine.start(node, new Machine(first), form.<Event>options());
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class, ended -> assertThat(ended.reason()).isEqualTo(reason));
  }

  // ---------------------------------------------------------------- other code

  private class Other extends Machine {
    private final String mark;

    Other(String mark) {
      super(STAY);
      this.mark = mark;
    }

    @Override
    public Transition<String, Integer, Event> onEvent(
        Moment<String, Integer, Event> now, String state, Integer data, Event message)
        throws Exception {
      told.add(mark);
      return super.onEvent(now, state, data, message);
    }
  }

  @ParameterizedTest
  @EnumSource
  void changePushAndPop_replaceTheCodeFromTheNextCallbackOn(Form form) {
    Pid<Event> machine = start(form);
    send(machine, "change", (now, _, _) -> now.stay().change(new Other("A")));
    send(machine, "push", (now, _, _) -> now.stay().push(new Other("B")));
    send(machine, "plain", STAY);
    send(machine, "pop", (now, _, _) -> now.stay().pop());
    send(machine, "again", STAY);
    settled(machine);
    assertThat(told)
        .containsExactly(
            "start -> start",
            "change in start",
            "A",
            "push in start",
            "B",
            "plain in start",
            "B",
            "pop in start",
            "A",
            "again in start");
    assertThatThrownBy(() ->
            machine.<String>call(_ -> new Event("pop", (now, _, _) -> now.stay().pop()), SOON))
        .hasMessageContaining("no code to go back to");
  }

  // ---------------------------------------------------------------- system requests

  @ParameterizedTest
  @EnumSource
  void suspended_holdsMessagesAndTimeoutsBack_andKeepsThePostponed(Form form) {
    Pid<Event> machine = start(form);
    sendForLater(machine, "later");
    Sys.suspend(machine, SOON);
    send(machine, "held", STAY);
    settled(machine);
    assertThat(told).containsExactly("start -> start", "later in start");
    Sys.resume(machine, SOON);
    send(machine, "go", (now, _, _) -> now.to("next").hibernate());
    settled(machine);
    assertThat(told).endsWith("held in start", "go in start", "start -> next", "later in next");
  }

  @ParameterizedTest
  @EnumSource
  void parentsExit_terminatesATrappingMachine(Form form) {
    Probe parent = Probe.start(Kind.EVENT, node);
    Pid<Event> machine =
        parent.run(self ->
            StateMachine.start(
                    self,
                    new Machine((now, _, _) -> now.to("start", 0)),
                    form.<Event>options().linked().trappingExits(exit -> plain("exit " + exit)))
                .orThrow()
                .pid());
    parent.pid().exit(ExitReason.shutdown());
    awaitEnd(machine);
    assertThat(told).containsExactly("start -> start", "terminate start 0 shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void status_showsWhatTheMachineShows_andStateIsReplaced(Form form) {
    StateMachine<String, Integer, Event> secretive =
        new Machine((now, _, _) -> now.to("start", 42)) {
          @Override
          public Object shown(String state, Integer data) {
            return state + " ***";
          }
        };
    Pid<Event> machine = StateMachine.start(node, secretive, form.<Event>options()).orThrow().pid();
    assertThat(Sys.status(machine, SOON).toString()).contains("start ***").doesNotContain("42");
    Sys.replaceState(
        machine, StateAndData.class, before -> new StateAndData<>("next", before.data()), SOON);
    assertThat(settled(machine)).isEqualTo(new StateAndData<>("next", 42));
    assertThatThrownBy(() -> Sys.replaceState(machine, Object.class, _ -> "x", SOON))
        .hasMessageContaining("StateAndData");
  }

  // ---------------------------------------------------------------- handlers

  sealed interface Lamp extends StateHandler<Lamp, Integer, String> {
    record Off() implements Lamp {
      @Override
      public Transition<Lamp, Integer, String> onEvent(
          Moment<Lamp, Integer, String> now, Integer uses, String message) {
        return message.equals("press") ? now.to(new On("white"), uses + 1) : now.stay().postpone();
      }
    }

    record On(String color) implements Lamp {
      @Override
      public Transition<Lamp, Integer, String> onEvent(
          Moment<Lamp, Integer, String> now, Integer uses, String message) {
        return switch (message) {
          case "press" -> now.to(new Off());
          default -> now.to(new On(message));
        };
      }

      @Override
      public Transition<Lamp, Integer, String> onEntry(
          Moment<Lamp, Integer, String> now, Lamp before, Integer uses) {
        return now.stay(uses + 100);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void handlers_areStatesThatHandleTheirEvents(Form form) {
    StateMachine.OfHandlers<Lamp, Integer, String> lamp = now -> now.to(new Lamp.Off(), 0);
    Pid<String> pid = StateMachine.start(node, lamp, form.<String>options()).orThrow().pid();
    pid.send("red");
    pid.send("press");
    assertThat(Sys.state(pid, SOON)).isEqualTo(new StateAndData<>(new Lamp.On("red"), 201));
    pid.send("red");
    assertThat(Sys.state(pid, SOON)).isEqualTo(new StateAndData<>(new Lamp.On("red"), 201));
    pid.send("press");
    assertThat(Sys.state(pid, SOON)).isEqualTo(new StateAndData<>(new Lamp.Off(), 201));
  }

  @ParameterizedTest
  @EnumSource
  void terminate_runsWithTheMachinesOwnSelf(Form form) {
    AtomicReference<Pid<Event>> seen = new AtomicReference<>();
    StateMachine<String, Integer, Event> machine =
        new Machine((now, _, _) -> now.to("start", 0)) {
          @Override
          public void terminate(Self<Event> self, String state, Integer data, ExitReason reason) {
            seen.set(self.pid());
          }
        };
    Pid<Event> pid = StateMachine.start(node, machine, form.<Event>options()).orThrow().pid();
    Sys.stop(pid, ExitReason.shutdown(), SOON);
    assertThat(seen.get()).isEqualTo(pid);
  }
}
