package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A state machine whose messages say what it does, and what it was told. */
abstract class MachineTest extends KernelTest {
  static final Duration SOON = Await.LIMIT;

  /** What to answer to an event. */
  @FunctionalInterface
  interface Act {
    Transition<String, Integer, Event> on(
        Moment<String, Integer, Event> now, String state, int data) throws Exception;
  }

  /** A message, and what to answer to it. */
  record Event(String name, Act act) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final Act STAY = (now, _, _) -> now.stay();

  /** What the machine was told, in order. */
  final List<String> told = new CopyOnWriteArrayList<>();

  /** What to do on entry, of states that do something. */
  final Map<String, Act> entries = new ConcurrentHashMap<>();

  class Machine implements StateMachine<String, Integer, Event> {
    private final Act first;

    Machine(Act first) {
      this.first = first;
    }

    @Override
    public Transition<String, Integer, Event> init(Moment<String, Integer, Event> now)
        throws Exception {
      return first.on(now, "", 0);
    }

    @Override
    public Transition<String, Integer, Event> onEvent(
        Moment<String, Integer, Event> now, String state, Integer data, Event message)
        throws Exception {
      String what = now.kind() == EventKind.MESSAGE ? "" : now.kind() + " ";
      what += now.timeoutName().map(name -> name + " ").orElse("");
      told.add(what + message.name() + " in " + state);
      return message.act().on(now, state, data);
    }

    @Override
    public Transition<String, Integer, Event> onEntry(
        Moment<String, Integer, Event> now, String before, String state, Integer data)
        throws Exception {
      told.add(before + " -> " + state);
      return entries.getOrDefault(state, STAY).on(now, before, data);
    }

    @Override
    public void terminate(Self<Event> self, String state, Integer data, ExitReason reason)
        throws Exception {
      told.add("terminate " + state + " " + data + " " + reason);
    }
  }

  /** A machine that begins in the state "start" with 0. */
  Pid<Event> start(Form form) {
    return start(form, (now, _, _) -> now.to("start", 0));
  }

  Pid<Event> start(Form form, Act first) {
    return start(form.<Event>options(), first);
  }

  Pid<Event> start(SpawnOptions<Event> options, Act first) {
    return StateMachine.start(node, new Machine(first), options).orThrow().pid();
  }

  static void send(Pid<Event> machine, String name, Act act) {
    machine.send(new Event(name, act));
  }

  /** A message that is postponed in the state "start", and handled in others. */
  static void sendForLater(Pid<Event> machine, String name) {
    send(
        machine,
        name,
        (now, state, _) -> state.equals("start") ? now.stay().postpone() : now.stay());
  }

  static Event plain(String name) {
    return new Event(name, STAY);
  }

  /** Waits until all that was sent before has been handled. */
  static StateAndData<?, ?> settled(Pid<Event> machine) {
    return (StateAndData<?, ?>) Sys.state(machine, SOON);
  }

  static void awaitEnd(Pid<?> machine) {
    Await.until(machine + " to end", () -> !machine.isAlive());
  }
}
