package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Event managers: handlers that come, go, fail, and belong to others. */
class EventManagerTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final HandlerKey<Ask> ONE = HandlerKey.named("one");
  private static final HandlerKey<Ask> TWO = HandlerKey.named("two");

  sealed interface Ask {
    record Sum(ReplyTo<Integer> replyTo) implements Ask {}

    record Fail(ReplyTo<Integer> replyTo) implements Ask {}

    record SwapTo(ReplyTo<Integer> replyTo) implements Ask {}
  }

  /** What handlers were told, in order. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  /** Sums up its events; some of them have a meaning. */
  private final class Summing implements EventHandler<Integer, String, Ask> {
    private final String name;
    private final int first;

    Summing(String name, int first) {
      this.name = name;
      this.first = first;
    }

    @Override
    public Integer init(Self<String> self) {
      if (first < 0) {
        throw new IllegalStateException("negative");
      }
      return first;
    }

    @Override
    public Handled<Integer, String> onEvent(Self<String> self, Integer sum, String event) {
      told.add(name + " " + event);
      return switch (event) {
        case "fail one" -> {
          if (name.equals("one")) {
            throw new IllegalStateException("told to");
          }
          yield Handled.same();
        }
        case "overflow" -> Handled.with(overflow(sum));
        case "exit" -> throw new ExitException(ExitReason.shutdown());
        case "null" -> null;
        case "leave" -> Handled.remove(sum);
        case "rest" -> Handled.hibernate(sum + 1);
        case "swap" ->
            Handled.swap(sum, TWO, over -> new Summing("two", (Integer) over.orElseThrow()));
        default -> Handled.with(sum + 1);
      };
    }

    @SuppressWarnings("InfiniteRecursion") // that is the case
    private static int overflow(int depth) {
      return 1 + overflow(depth + 1);
    }

    @Override
    public Handled<Integer, String> onCall(Self<String> self, Integer sum, Ask request) {
      return switch (request) {
        case Ask.Sum(var replyTo) -> {
          replyTo.send(sum);
          yield Handled.same();
        }
        case Ask.Fail _ -> throw new IllegalStateException("told to");
        case Ask.SwapTo(var replyTo) -> {
          replyTo.send(sum);
          yield Handled.swap(sum, ONE, _ -> new Summing("one", 100));
        }
      };
    }

    @Override
    public Optional<Object> terminate(Self<String> self, Integer sum, Removal why) {
      told.add(name + " " + why);
      if (sum == 1000) {
        throw new IllegalStateException("in terminate");
      }
      return Optional.of(sum);
    }

    @Override
    public Object shown(Integer sum) {
      return "sum of " + sum;
    }
  }

  private EventManager<String> start(Form form) {
    return EventManager.start(node, form.<String>options()).orThrow().value();
  }

  private int sum(EventManager<String> manager, HandlerKey<Ask> key) {
    return manager.<Ask, Integer>call(key, Ask.Sum::new, SOON);
  }

  // ---------------------------------------------------------------- events

  @ParameterizedTest
  @EnumSource
  void events_reachAllHandlers_inTheOrderTheyWereAdded(Form form) {
    EventManager<String> manager = start(form);
    manager.add(TWO, new Summing("two", 0));
    manager.add(ONE, new Summing("one", 0));
    assertThat(manager.handlers()).isEqualTo(List.of(TWO, ONE));
    manager.notify("a");
    manager.pid().send("b");
    manager.syncNotify("c", SOON);
    assertThat(told).containsExactly("two a", "one a", "two b", "one b", "two c", "one c");
    assertThat(sum(manager, ONE)).isEqualTo(3);
    assertThat(EventManager.at(manager.pid())).isEqualTo(manager);
  }

  @ParameterizedTest
  @EnumSource
  void handlerThatThrows_isRemovedAlone(Form form) {
    EventManager<String> manager = start(form);
    for (String fault : List.of("fail one", "overflow", "exit", "null")) {
      manager.add(ONE, new Summing("one", 0));
      manager.syncNotify(fault, SOON);
      assertThat(manager.handlers()).as(fault).isEmpty();
      assertThat(told.getLast()).startsWith("one Failed[");
    }
    manager.add(ONE, new Summing("one", 0));
    manager.add(TWO, new Summing("two", 0));
    manager.syncNotify("fail one", SOON);
    assertThat(manager.handlers()).isEqualTo(List.of(TWO));
    assertThat(told.getLast()).isEqualTo("two fail one");
  }

  @ParameterizedTest
  @EnumSource
  void handlerThatThrows_inACall_isRemoved_andTheCallerIsTold(Form form) {
    EventManager<String> manager = start(form);
    manager.add(ONE, new Summing("one", 0));
    assertThatThrownBy(() -> manager.<Ask, Integer>call(ONE, Ask.Fail::new, SOON))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the handler one of " + manager.pid() + " threw")
        .hasRootCauseMessage("told to");
    assertThat(manager.handlers()).isEmpty();
    assertThatThrownBy(() -> sum(manager, ONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no handler one");
  }

  @ParameterizedTest
  @EnumSource
  void answers_stayHibernateAndLeave(Form form) {
    EventManager<String> manager = start(form);
    manager.add(ONE, new Summing("one", 0));
    manager.syncNotify("rest", SOON);
    assertThat(sum(manager, ONE)).isEqualTo(1);
    manager.syncNotify("leave", SOON);
    assertThat(manager.handlers()).isEmpty();
    assertThat(told).containsExactly("one rest", "one leave", "one ByItself[]");
  }

  // ---------------------------------------------------------------- coming and going

  @ParameterizedTest
  @EnumSource
  void add_refusesATakenKey_andAHandlerThatCanNotBegin(Form form) {
    EventManager<String> manager = start(form);
    manager.add(ONE, new Summing("one", 0));
    assertThatThrownBy(() -> manager.add(ONE, new Summing("other", 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has a handler one already");
    assertThatThrownBy(() -> manager.add(TWO, new Summing("two", -1)))
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("negative");
    assertThat(manager.handlers()).isEqualTo(List.of(ONE));
  }

  @ParameterizedTest
  @EnumSource
  void remove_answersWhatTerminateDid(Form form) {
    EventManager<String> manager = start(form);
    manager.add(ONE, new Summing("one", 7));
    assertThat(manager.remove(ONE)).contains(7);
    assertThat(told).containsExactly("one Asked[]");
    assertThatThrownBy(() -> manager.remove(ONE)).isInstanceOf(IllegalArgumentException.class);
    manager.add(ONE, new Summing("one", 1000));
    assertThat(manager.remove(ONE)).as("it throws in terminate").isEmpty();
    assertThat(manager.handlers()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void swap_handsOver_inTheSamePlace(Form form) {
    HandlerKey<Ask> last = HandlerKey.named("last");
    EventManager<String> manager = start(form);
    manager.add(ONE, new Summing("one", 7));
    manager.add(last, new Summing("last", 0));
    manager.swap(ONE, TWO, over -> new Summing("two", (Integer) over.orElseThrow() + 1));
    assertThat(manager.handlers()).isEqualTo(List.of(TWO, last));
    assertThat(sum(manager, TWO)).isEqualTo(8);
    assertThat(told).containsExactly("one Swapped[successor=two]");
    assertThatThrownBy(() -> manager.swap(TWO, last, _ -> new Summing("x", 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(manager.handlers()).isEqualTo(List.of(TWO, last));
    manager.swap(ONE, ONE, over -> new Summing("one", over.isEmpty() ? 3 : 4));
    assertThat(sum(manager, ONE)).as("nobody was there to hand over").isEqualTo(3);
    assertThatThrownBy(() -> manager.swap(ONE, ONE, _ -> new Summing("one", -1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(manager.handlers()).as("both are gone").isEqualTo(List.of(TWO, last));
  }

  @ParameterizedTest
  @EnumSource
  void handler_swapsItself_inAnEventAndInACall(Form form) {
    EventManager<String> manager = start(form);
    manager.add(ONE, new Summing("one", 7));
    manager.syncNotify("swap", SOON);
    assertThat(manager.handlers()).isEqualTo(List.of(TWO));
    assertThat(told).as("the new one is not told that event").doesNotContain("two swap");
    assertThat(manager.<Ask, Integer>call(TWO, Ask.SwapTo::new, SOON)).isEqualTo(7);
    assertThat(sum(manager, ONE)).isEqualTo(100);
    manager.add(TWO, new Summing("two", 0));
    manager.syncNotify("swap", SOON);
    assertThat(manager.handlers()).as("one could not swap, two did").isEqualTo(List.of(TWO));
  }

  // ---------------------------------------------------------------- supervised

  private static Msg gone(HandlerGone gone) {
    return new Msg.Say(gone);
  }

  @ParameterizedTest
  @EnumSource
  void supervisor_isToldOnceWhenItsHandlerIsGone(Form form) {
    EventManager<String> manager = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    record Case(String event, Class<? extends Removal> why) {}
    for (Case each :
        List.of(
            new Case("leave", Removal.ByItself.class),
            new Case("fail one", Removal.Failed.class))) {
      owner.act(
          self -> manager.addSupervised(self, ONE, new Summing("one", 0), EventManagerTest::gone));
      manager.notify(each.event());
      HandlerGone told = (HandlerGone) owner.nextSaid();
      assertThat(told.handler()).isEqualTo(ONE);
      assertThat(told.why()).isInstanceOf(each.why());
    }
    owner.act(
        self -> manager.addSupervised(self, ONE, new Summing("one", 0), EventManagerTest::gone));
    assertThat(manager.remove(ONE)).contains(0);
    assertThat(owner.nextSaid()).isEqualTo(new HandlerGone(ONE, new Removal.Asked()));
    assertThat(node.info(owner.pid()).orElseThrow().monitors().count()).isZero();
    assertThat(node.info(manager.pid()).orElseThrow().monitors().count()).isZero();
    owner.assertQuiet();
  }

  @ParameterizedTest
  @EnumSource
  void supervisorThatEnds_takesItsHandlersWithIt(Form form) {
    EventManager<String> manager = start(form);
    for (ExitReason reason : List.of(ExitReason.normal(), ExitReason.shutdown())) {
      Probe owner = Probe.start(Kind.EVENT, node);
      owner.act(
          self -> manager.addSupervised(self, ONE, new Summing("one", 0), EventManagerTest::gone));
      owner.tell(_ -> {
        throw new ExitException(reason);
      });
      Await.until("it is gone", () -> manager.handlers().isEmpty());
      assertThat(told.getLast()).isEqualTo("one SupervisorEnded[reason=" + reason + "]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void managerThatEnds_tellsTheSupervisors_alsoIfItIsKilled(Form form) {
    for (boolean killed : new boolean[] {true, false}) {
      EventManager<String> manager = start(form);
      Probe owner = Probe.start(Kind.EVENT, node);
      owner.act(
          self -> manager.addSupervised(self, ONE, new Summing("one", 0), EventManagerTest::gone));
      ExitReason reason = killed ? ExitReason.killed() : ExitReason.shutdown();
      if (killed) {
        manager.pid().kill();
      } else {
        Sys.stop(manager.pid(), reason, SOON);
      }
      assertThat(owner.nextSaid())
          .isEqualTo(new HandlerGone(ONE, new Removal.ManagerEnded(reason)));
      owner.assertQuiet();
      assertThatThrownBy(manager::handlers).isInstanceOf(CallException.class);
    }
    assertThat(told).containsExactly("one ManagerEnded[reason=shutdown]");
  }

  @ParameterizedTest
  @EnumSource
  void swap_passesSupervisionOn(Form form) {
    EventManager<String> manager = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    owner.act(
        self -> manager.addSupervised(self, ONE, new Summing("one", 0), EventManagerTest::gone));
    manager.swap(ONE, TWO, _ -> new Summing("two", 0));
    owner.assertQuiet();
    manager.remove(TWO);
    assertThat(owner.nextSaid()).isEqualTo(new HandlerGone(TWO, new Removal.Asked()));
    owner.act(
        self -> manager.addSupervised(self, ONE, new Summing("one", 0), EventManagerTest::gone));
    assertThatThrownBy(() -> manager.swap(ONE, TWO, _ -> new Summing("two", -1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(((HandlerGone) owner.nextSaid()).why()).isInstanceOf(Removal.Failed.class);
  }

  @ParameterizedTest
  @EnumSource
  void addSupervised_thatIsRefused_leavesNothing(Form form) {
    EventManager<String> manager = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    assertThatThrownBy(() ->
            owner.act(self ->
                manager.addSupervised(self, ONE, new Summing("one", -1), EventManagerTest::gone)))
        .isInstanceOf(IllegalStateException.class);
    manager.pid().kill();
    Await.until("the manager ends", () -> !manager.pid().isAlive());
    owner.assertQuiet();
    assertThat(node.info(owner.pid()).orElseThrow().aliases()).isZero();
    assertThatThrownBy(() ->
            owner.act(self ->
                manager.addSupervised(self, ONE, new Summing("one", 0), EventManagerTest::gone)))
        .isInstanceOf(CallException.class);
    owner.assertQuiet();
  }

  // ---------------------------------------------------------------- system calls

  @ParameterizedTest
  @EnumSource
  void state_isThatOfEachHandler(Form form) {
    EventManager<String> manager = start(form);
    manager.add(ONE, new Summing("one", 7));
    assertThat(Sys.state(manager.pid(), SOON)).isEqualTo(Map.of(ONE, 7));
    assertThat(Sys.status(manager.pid(), SOON).state()).isEqualTo(Map.of(ONE, "sum of 7"));
    Object replaced = Sys.replaceState(manager.pid(), Object.class, _ -> Map.of(ONE, 8), SOON);
    assertThat(replaced).isEqualTo(Map.of(ONE, 8));
    assertThat(sum(manager, ONE)).isEqualTo(8);
    Sys.suspend(manager.pid(), SOON);
    manager.notify("a");
    assertThat(told).isEmpty();
    Sys.resume(manager.pid(), SOON);
    assertThat(sum(manager, ONE)).isEqualTo(9);
  }
}
