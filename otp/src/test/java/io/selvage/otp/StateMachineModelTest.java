package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random machines do what a naive model of the rules does. */
class StateMachineModelTest extends KernelTest {
  private static final int STATES = 3;
  private static final int MESSAGES = 12;
  private static final int DEEPEST = 3;
  private static final List<Timeout.How> HOWS = List.of(Timeout.How.values());

  /** A message; what it makes the machine do depends on its number. */
  record Msg(int number, int depth) {}

  /** A timeout of zero that is set, updated or cancelled. */
  record Late(Timeout.How how, EventKind kind, @Nullable String name, Msg message) {}

  /** What a callback does. */
  record Plan(int target, boolean repeat, boolean postpone, List<Msg> inserted, List<Late> late) {}

  /** Makes plans; the machine and the model have one each, with the same seed. */
  private static final class Planner {
    private final long seed;
    private final Map<Msg, Integer> times = new HashMap<>();

    Planner(long seed) {
      this.seed = seed;
    }

    Plan onEvent(int state, Msg message) {
      int time = times.merge(message, 1, Integer::sum);
      SplittableRandom random =
          new SplittableRandom(seed + 1_000_003L * message.number() + 7919L * state + 31L * time);
      random.nextLong();
      List<Msg> inserted = new ArrayList<>();
      List<Late> late = new ArrayList<>();
      if (message.depth() < DEEPEST && time == 1) {
        for (int i = random.nextInt(3); i > 0; i--) {
          inserted.add(child(message, i));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
          late.add(late(random, child(message, 4 + i)));
        }
      }
      int choice = random.nextInt(10);
      int target = choice < 4 ? random.nextInt(STATES) : state;
      return new Plan(target, choice == 4, time < 4 && random.nextInt(3) == 0, inserted, late);
    }

    Plan onEntry(int state, int entries) {
      SplittableRandom random = new SplittableRandom(seed - 104_729L * state - entries);
      List<Late> late = new ArrayList<>();
      if (entries < 8 && random.nextBoolean()) {
        late.add(late(random, new Msg(-1 - entries, DEEPEST)));
      }
      return new Plan(state, false, false, List.of(), late);
    }

    private static Msg child(Msg parent, int index) {
      return new Msg(parent.number() * 10 + index, parent.depth() + 1);
    }

    private static Late late(SplittableRandom random, Msg message) {
      Timeout.How how = HOWS.get(random.nextInt(HOWS.size()));
      return switch (random.nextInt(4)) {
        case 0 -> new Late(how, EventKind.EVENT_TIMEOUT, null, message);
        case 1 -> new Late(how, EventKind.STATE_TIMEOUT, null, message);
        case 2 -> new Late(how, EventKind.NAMED_TIMEOUT, "a", message);
        default -> new Late(how, EventKind.NAMED_TIMEOUT, "b", message);
      };
    }
  }

  /** The machine under test; its data count the entries. */
  private static final class Machine implements StateMachine<Integer, Integer, Msg> {
    private final Planner planner;
    private final List<String> told = new ArrayList<>();

    Machine(long seed) {
      planner = new Planner(seed);
    }

    @Override
    public Transition<Integer, Integer, Msg> init(Moment<Integer, Integer, Msg> now) {
      return now.to(0, 0);
    }

    @Override
    public Transition<Integer, Integer, Msg> onEvent(
        Moment<Integer, Integer, Msg> now, Integer state, Integer entries, Msg message) {
      told.add(line(now.kind(), (String) now.timeoutName().orElse(null), message, state));
      Plan plan = planner.onEvent(state, message);
      Transition<Integer, Integer, Msg> made = plan.repeat() ? now.repeat() : now.to(plan.target());
      act(made, plan.late());
      for (Msg each : plan.inserted()) {
        made.insert(each);
      }
      return plan.postpone() ? made.postpone() : made;
    }

    @Override
    public Transition<Integer, Integer, Msg> onEntry(
        Moment<Integer, Integer, Msg> now, Integer before, Integer state, Integer entries) {
      told.add(before + " -> " + state);
      Transition<Integer, Integer, Msg> made = now.stay(entries + 1);
      act(made, planner.onEntry(state, entries).late());
      return made;
    }

    private static void act(Transition<Integer, Integer, Msg> made, List<Late> late) {
      for (Late each : late) {
        Msg message = each.message();
        String name = each.name() == null ? "" : each.name();
        switch (each.how()) {
          case SET -> {
            switch (each.kind()) {
              case EVENT_TIMEOUT -> made.eventTimeout(Duration.ZERO, message);
              case STATE_TIMEOUT -> made.stateTimeout(Duration.ZERO, message);
              default -> made.timeout(name, Duration.ZERO, message);
            }
          }
          case CANCEL -> {
            switch (each.kind()) {
              case EVENT_TIMEOUT -> made.cancelEventTimeout();
              case STATE_TIMEOUT -> made.cancelStateTimeout();
              default -> made.cancelTimeout(name);
            }
          }
          case UPDATE -> {
            switch (each.kind()) {
              case EVENT_TIMEOUT -> made.updateEventTimeout(message);
              case STATE_TIMEOUT -> made.updateStateTimeout(message);
              default -> made.updateTimeout(name, message);
            }
          }
        }
      }
    }
  }

  private static String line(EventKind kind, @Nullable String name, Msg message, int state) {
    return kind + " " + name + " " + message.number() + " in " + state;
  }

  /** The rules as {@link Transition} lists them, with plain lists. */
  private static final class Model {
    record Waiting(EventKind kind, @Nullable String name, Msg message) {}

    private final Planner planner;
    private final List<String> told = new ArrayList<>();
    private final List<Waiting> queue = new ArrayList<>();
    private final List<Waiting> postponed = new ArrayList<>();
    private final List<Waiting> zero = new ArrayList<>();
    private int state;
    private int entries;

    Model(long seed) {
      planner = new Planner(seed);
    }

    List<String> run(int messages) {
      set(enter(0));
      drain();
      for (int i = 1; i <= messages; i++) {
        handle(new Waiting(EventKind.MESSAGE, null, new Msg(i, 0)));
        drain();
      }
      return told;
    }

    private void drain() {
      while (true) {
        if (!queue.isEmpty()) {
          handle(queue.removeFirst());
        } else if (!zero.isEmpty()) {
          handle(zero.removeFirst());
        } else {
          return;
        }
      }
    }

    private void handle(Waiting event) {
      zero.removeIf(each -> each.kind() == EventKind.EVENT_TIMEOUT);
      told.add(line(event.kind(), event.name(), event.message(), state));
      Plan plan = planner.onEvent(state, event.message());
      int before = state;
      boolean changed = !plan.repeat() && plan.target() != before;
      if (changed) {
        state = plan.target();
      }
      List<Late> entry = changed || plan.repeat() ? enter(before) : List.of();
      if (plan.postpone()) {
        postponed.add(event);
      }
      if (changed) {
        queue.addAll(0, postponed);
        postponed.clear();
      }
      List<Waiting> front = new ArrayList<>();
      plan.inserted().forEach(each -> front.add(new Waiting(EventKind.INSERTED, null, each)));
      queue.addAll(0, front);
      if (changed) {
        zero.removeIf(each -> each.kind() == EventKind.STATE_TIMEOUT);
      }
      set(plan.late());
      set(entry);
    }

    private List<Late> enter(int before) {
      told.add(before + " -> " + state);
      return planner.onEntry(state, entries++).late();
    }

    private void set(List<Late> late) {
      for (Late each : late) {
        Waiting made = new Waiting(each.kind(), each.name(), each.message());
        int present = indexOf(each);
        switch (each.how()) {
          case SET -> {
            remove(each);
            zero.add(made);
          }
          case CANCEL -> remove(each);
          case UPDATE -> {
            if (present < 0) {
              zero.add(made);
            } else {
              zero.set(present, made);
            }
          }
        }
      }
    }

    private int indexOf(Late late) {
      for (int i = 0; i < zero.size(); i++) {
        if (isSame(zero.get(i), late)) {
          return i;
        }
      }
      return -1;
    }

    private void remove(Late late) {
      for (Iterator<Waiting> all = zero.iterator(); all.hasNext(); ) {
        if (isSame(all.next(), late)) {
          all.remove();
        }
      }
    }

    private static boolean isSame(Waiting waiting, Late late) {
      return waiting.kind() == late.kind()
          && (waiting.name() == null ? late.name() == null : waiting.name().equals(late.name()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void randomMachine_doesWhatTheModelDoes(Form form) {
    long base = Long.getLong("selvage.test.seed", System.nanoTime());
    for (int round = 0; round < Math.min(Rounds.RACES, 2_000); round++) {
      long seed = base + round;
      Machine machine = new Machine(seed);
      Pid<Msg> pid = StateMachine.start(node, machine, form.<Msg>options()).orThrow().pid();
      for (int i = 1; i <= MESSAGES; i++) {
        pid.send(new Msg(i, 0));
      }
      Sys.state(pid, Duration.ofSeconds(10));
      assertThat(machine.told)
          .as("seed %d; again with -Dselvage.test.seed=%d", seed, seed)
          .isEqualTo(new Model(seed).run(MESSAGES));
      pid.exit(ExitReason.shutdown());
    }
  }
}
