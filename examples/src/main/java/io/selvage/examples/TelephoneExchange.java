package io.selvage.examples;

import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.EventSink;
import io.selvage.otp.ChildSpec;
import io.selvage.otp.ChildTraits;
import io.selvage.otp.DynamicSpec;
import io.selvage.otp.DynamicSupervisor;
import io.selvage.otp.FirstStep;
import io.selvage.otp.Moment;
import io.selvage.otp.Next;
import io.selvage.otp.Restart;
import io.selvage.otp.Server;
import io.selvage.otp.StartChildResult;
import io.selvage.otp.StateAndData;
import io.selvage.otp.StateMachine;
import io.selvage.otp.Supervisor;
import io.selvage.otp.SupervisorSpec;
import io.selvage.otp.Sys;
import io.selvage.otp.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * A telephone exchange that places 100,000 calls: lines and calls are state machines, and each
 * trunk supervises the calls that go over it.
 */
public final class TelephoneExchange {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration RINGS = Duration.ofMillis(20);
  private static final Duration WALK_TO_IT = Duration.ofMillis(1);
  private static final Duration TALK = Duration.ofMillis(2);
  private static final Duration PULSE = Duration.ofMillis(1);

  private static final int TRUNKS = 10;
  private static final int LINES = 2000;
  private static final int CALLS = 100_000;

  private TelephoneExchange() {}

  /** How a call ended. */
  enum Ending {
    ANSWERED,
    BUSY,
    UNANSWERED,
    CONGESTED,
    CUT
  }

  /** What a call has cost. */
  record Bill(Ending ending, int pulses) {}

  /** A call between two lines: is set up, rings, connects, and ends with its bill. */
  record Call(Pid<Line.Msg> from, Pid<Line.Msg> to)
      implements StateMachine<Call.Phase, Integer, Call.Signal> {
    enum Phase {
      SET_UP,
      RINGING,
      TALKING
    }

    sealed interface Signal {
      record Begin() implements Signal {}

      record PickedUp() implements Signal {}

      record Busy() implements Signal {}

      record NobodyAnswers() implements Signal {}

      record Pulse() implements Signal {}

      record HungUp() implements Signal {}

      record Noise() implements Signal {}

      record LineGone(Down down) implements Signal {}
    }

    @Override
    public Transition<Phase, Integer, Signal> init(Moment<Phase, Integer, Signal> now) {
      now.self().monitor(from, Signal.LineGone::new);
      now.self().monitor(to, Signal.LineGone::new);
      return now.to(Phase.SET_UP, 0);
    }

    @Override
    public Transition<Phase, Integer, Signal> onEntry(
        Moment<Phase, Integer, Signal> now, Phase before, Phase phase, Integer pulses) {
      return switch (phase) {
        case SET_UP -> now.stay();
        case RINGING -> {
          to.send(new Line.Msg.Rings(now.self().pid()));
          yield now.stay().stateTimeout(RINGS, new Signal.NobodyAnswers());
        }
        case TALKING -> {
          from.send(new Line.Msg.Answered());
          yield now.stay().timeout("pulse", PULSE, new Signal.Pulse());
        }
      };
    }

    @Override
    public Transition<Phase, Integer, Signal> onEvent(
        Moment<Phase, Integer, Signal> now, Phase phase, Integer pulses, Signal message) {
      return switch (message) {
        case Signal.Begin _ -> now.to(Phase.RINGING);
        case Signal.PickedUp _ -> now.to(Phase.TALKING);
        case Signal.Busy _ -> over(now, Ending.BUSY, pulses);
        case Signal.NobodyAnswers _ -> over(now, Ending.UNANSWERED, pulses);
        case Signal.Pulse _ -> now.stay(pulses + 1).timeout("pulse", PULSE, new Signal.Pulse());
        case Signal.HungUp _ ->
            over(now, phase == Phase.TALKING ? Ending.ANSWERED : Ending.UNANSWERED, pulses);
        case Signal.LineGone _ -> over(now, Ending.CUT, pulses);
        case Signal.Noise _ -> throw new IllegalStateException("nobody has thought of noise");
      };
    }

    private static Transition<Phase, Integer, Signal> over(
        Moment<Phase, Integer, Signal> now, Ending ending, int pulses) {
      return now.stop(new ExitReason.Shutdown(new Bill(ending, pulses)));
    }
  }

  /** A line: on the hook, or in one call. What its subscriber wants to dial meanwhile waits. */
  record Line(int number, DynamicSupervisor trunk, Pid<Book.Request> book)
      implements StateMachine<Line.State, Optional<Line.Talk>, Line.Msg> {
    private static final ChildTraits CALL = ChildTraits.of("call").restarting(Restart.TEMPORARY);

    enum State {
      ON_HOOK,
      CALLING,
      RUNG,
      TALKING
    }

    /** The call it is in. */
    record Talk(Pid<Call.Signal> call, boolean outgoing) {}

    sealed interface Msg {
      record Dial(Pid<Msg> other) implements Msg {}

      record Rings(Pid<Call.Signal> call) implements Msg {}

      record PickUp() implements Msg {}

      record Answered() implements Msg {}

      record HangUp() implements Msg {}

      record Over(Down down) implements Msg {}
    }

    @Override
    public Transition<State, Optional<Talk>, Msg> init(Moment<State, Optional<Talk>, Msg> now) {
      return now.to(State.ON_HOOK, Optional.empty());
    }

    @Override
    public Transition<State, Optional<Talk>, Msg> onEntry(
        Moment<State, Optional<Talk>, Msg> now, State before, State state, Optional<Talk> talk) {
      boolean someoneIsThere = number % 7 != 0;
      return switch (state) {
        case RUNG ->
            someoneIsThere ? now.stay().stateTimeout(WALK_TO_IT, new Msg.PickUp()) : now.stay();
        case TALKING -> now.stay().stateTimeout(TALK, new Msg.HangUp());
        case ON_HOOK, CALLING -> now.stay();
      };
    }

    @Override
    public Transition<State, Optional<Talk>, Msg> onEvent(
        Moment<State, Optional<Talk>, Msg> now, State state, Optional<Talk> talk, Msg message) {
      return switch (message) {
        case Msg.Dial(var other) ->
            state == State.ON_HOOK ? dial(now, other) : now.stay().postpone();
        case Msg.Rings(var call) -> {
          if (state != State.ON_HOOK) {
            call.send(new Call.Signal.Busy());
            yield now.stay();
          }
          now.self().monitor(call, Msg.Over::new);
          yield now.to(State.RUNG, Optional.of(new Talk(call, false)));
        }
        case Msg.PickUp _ -> {
          talk.orElseThrow().call().send(new Call.Signal.PickedUp());
          yield now.to(State.TALKING);
        }
        case Msg.Answered _ -> now.to(State.TALKING);
        case Msg.HangUp _ -> {
          boolean noisy = ThreadLocalRandom.current().nextInt(50) == 0;
          talk.orElseThrow()
              .call()
              .send(noisy ? new Call.Signal.Noise() : new Call.Signal.HungUp());
          yield now.stay();
        }
        case Msg.Over(Down(_, _, var reason)) -> {
          if (talk.orElseThrow().outgoing()) {
            book.send(new Book.Request.Enter(bill(reason)));
          }
          yield now.to(State.ON_HOOK, Optional.empty());
        }
      };
    }

    private Transition<State, Optional<Talk>, Msg> dial(
        Moment<State, Optional<Talk>, Msg> now, Pid<Msg> other) {
      var call = StateMachine.of(new Call(now.self().pid(), other));
      if (trunk.startChild(ChildSpec.of(CALL, call, SpawnOptions.defaults()))
          instanceof StartChildResult.Started<Call.Signal, Pid<Call.Signal>>(var pid, var _)) {
        now.self().monitor(pid, Msg.Over::new);
        pid.send(new Call.Signal.Begin());
        return now.to(State.CALLING, Optional.of(new Talk(pid, true)));
      }
      book.send(new Book.Request.Enter(new Bill(Ending.CONGESTED, 0)));
      return now.stay();
    }

    private static Bill bill(ExitReason reason) {
      return reason instanceof ExitReason.Shutdown(Bill bill) ? bill : new Bill(Ending.CUT, 0);
    }
  }

  /** Keeps the bills, and tells who waits for so many of them. */
  record Book(int calls) implements Server<Book.Entries, Book.Request> {
    sealed interface Request {
      record Enter(Bill bill) implements Request {}

      record WhenAllAreOver(ReplyTo<Map<Ending, Integer>> replyTo) implements Request {}
    }

    record Entries(Map<Ending, Integer> endings, Optional<ReplyTo<Map<Ending, Integer>>> waiting) {}

    @Override
    public FirstStep<Entries, Request> init(Self<Request> self) {
      return Next.with(new Entries(Map.of(), Optional.empty()));
    }

    @Override
    public Next<Entries, Request> onMessage(Self<Request> self, Entries entries, Request message) {
      Entries now =
          switch (message) {
            case Request.Enter(var bill) -> {
              Map<Ending, Integer> endings = new EnumMap<>(Ending.class);
              endings.putAll(entries.endings());
              endings.merge(bill.ending(), 1, Integer::sum);
              yield new Entries(Map.copyOf(endings), entries.waiting());
            }
            case Request.WhenAllAreOver(var replyTo) ->
                new Entries(entries.endings(), Optional.of(replyTo));
          };
      if (now.endings().values().stream().mapToInt(Integer::intValue).sum() == calls) {
        now.waiting().ifPresent(replyTo -> replyTo.send(now.endings()));
      }
      return Next.with(now);
    }
  }

  /** A supervisor of the calls of each trunk; a trunk carries 90 at once. */
  static List<DynamicSupervisor> trunks(Node node) {
    Supervisor exchange = Supervisor.start(node, SupervisorSpec.oneForOne()).orThrow().value();
    DynamicSpec trunk = DynamicSpec.defaults().withMaxChildren(90);
    return IntStream.range(0, TRUNKS)
        .mapToObj(i -> ChildSpec.supervisor("trunk " + i, DynamicSupervisor.of(trunk)))
        .map(spec -> exchange.startChild(spec).orThrow().value())
        .toList();
  }

  static Map<Ending, Integer> place(Node node, int calls) {
    List<DynamicSupervisor> trunks = trunks(node);
    Pid<Book.Request> book = Server.start(node, new Book(calls)).orThrow().pid();
    List<Pid<Line.Msg>> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      SpawnOptions<Line.Msg> options = SpawnOptions.<Line.Msg>defaults().onVirtualThread();
      lines.add(
          StateMachine.start(node, new Line(i, trunks.get(i % TRUNKS), book), options)
              .orThrow()
              .pid());
    }
    Random random = new Random(1);
    for (int i = 0; i < calls; i++) {
      int callee = random.nextInt(LINES / 2);
      lines.get(LINES / 2 + i % (LINES / 2)).send(new Line.Msg.Dial(lines.get(callee)));
    }
    Map<Ending, Integer> endings = book.call(Book.Request.WhenAllAreOver::new, SOON);
    Object rest = new StateAndData<>(Line.State.ON_HOOK, Optional.empty());
    while (!lines.stream().allMatch(line -> Sys.state(line, SOON).equals(rest))
        || trunks.stream().anyMatch(trunk -> trunk.countChildren().active() > 0)) {
      Thread.onSpinWait(); // the last ones are told a moment later than their callers
    }
    return endings;
  }

  /**
   * Runs the example.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    EventSink silent = event -> {}; // the noise is on purpose
    try (Node node = Node.start(NodeOptions.defaults().withEvents(silent))) {
      Map<Ending, Integer> endings = place(node, CALLS);
      System.out.println(
          endings.values().stream().mapToInt(Integer::intValue).sum() + " calls are over");
      for (Ending ending : Ending.values()) {
        System.out.println(ending + ": " + endings.getOrDefault(ending, 0));
      }
    }
  }
}
