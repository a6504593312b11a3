package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is refused, or can not be answered, and what is said then. */
class BadInputTest extends KernelTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration PAST = Duration.ofSeconds(-1);

  private static void assertSays(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(what)
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains("PT-1S", ": give ");
  }

  @Test
  void negativeTimes_areRefusedWithTheValueAndTheCure() {
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> a = Worker.spec("a", new CopyOnWriteArrayList<>());
    Supervisor supervisor = Supervisor.start(node, SupervisorSpec.oneForOne()).orThrow().value();
    Map<String, ThrowingCallable> calls =
        Map.of(
            "start limit",
            () -> a.startingWithin(PAST),
            "deadline",
            () -> SupervisorSpec.oneForOne().withDeadline(PAST),
            "dynamic deadline",
            () -> DynamicSpec.defaults().withDeadline(PAST),
            "first back-off",
            () -> Backoff.doubling(PAST, SECOND),
            "reset",
            () -> new Backoff(SECOND, SECOND, 1, 0, PAST),
            "stop",
            () -> supervisor.stop(PAST),
            "applications",
            () -> Applications.Options.defaults().withDeadline(PAST),
            "tasks",
            () -> TaskSupervisor.Limits.defaults().withShutdown(PAST),
            "shutdown",
            () -> Shutdown.after(PAST));
    calls.forEach((what, call) -> assertSays(what, call));
    assertThat(supervisor.whichChildren()).as("still serves").isEmpty();
  }

  @Test
  void supervisorsThatEnded_failCallsWithNoProc() {
    Supervisor supervisor = Supervisor.start(node, SupervisorSpec.oneForOne()).orThrow().value();
    DynamicSupervisor dynamic =
        DynamicSupervisor.start(node, DynamicSpec.defaults()).orThrow().value();
    TaskSupervisor tasks =
        TaskSupervisor.start(node, TaskSupervisor.Limits.defaults()).orThrow().value();
    for (Pid<?> pid : List.of(supervisor.pid(), dynamic.pid(), tasks.pid())) {
      pid.kill();
      Await.until("it ends", () -> !pid.isAlive());
    }
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> a = Worker.spec("a", new CopyOnWriteArrayList<>());
    Map<String, ThrowingCallable> calls =
        Map.of(
            "start", () -> supervisor.startChild(a),
            "stop", () -> supervisor.stopChild("a"),
            "restart", () -> supervisor.restartChild("a"),
            "count", supervisor::countChildren,
            "dynamic start", () -> dynamic.startChild(a),
            "dynamic stop", () -> dynamic.stopChild(dynamic.pid()),
            "dynamic count", dynamic::countChildren,
            "tasks", tasks::children);
    calls.forEach(BadInputTest::assertNoProc);
  }

  @Test
  void nullGivenToARunningSupervisor_isTheCallersFault_andHarmsNoChild() {
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> a = Worker.spec("a", new CopyOnWriteArrayList<>());
    Supervisor supervisor = Supervisor.start(node, SupervisorSpec.oneForOne(a)).orThrow().value();
    DynamicSupervisor dynamic =
        DynamicSupervisor.start(node, DynamicSpec.defaults()).orThrow().value();
    dynamic.startChild(a).orThrow();
    assertNull("spec", () -> supervisor.startChild(nothing()));
    assertNull("id", () -> supervisor.stopChild(nothing()));
    assertNull("id", () -> supervisor.restartChild(nothing()));
    assertNull("id", () -> supervisor.deleteChild(nothing()));
    assertNull("id", () -> supervisor.childSpec(nothing()));
    assertNull("spec", () -> dynamic.startChild(BadInputTest.<ChildSpec<Object, Object>>nothing()));
    assertNull("pid", () -> dynamic.stopChild(nothing()));
    assertThat(supervisor.countChildren().active()).isEqualTo(1);
    assertThat(dynamic.countChildren().active()).isEqualTo(1);
  }

  @Test
  void functionThatAnswersNull_failsTheStartOfItsChildAlone() {
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> a = Worker.spec("a", new CopyOnWriteArrayList<>());
    Supervisor supervisor = Supervisor.start(node, SupervisorSpec.oneForOne(a)).orThrow().value();
    assertThat(supervisor.startChild(ChildSpec.<Object, Object>startedBy("b", (_, _) -> nothing())))
        .isInstanceOfSatisfying(
            StartChildResult.Failed.class,
            failed ->
                assertThat(failed.reason().toString())
                    .contains("the child \"b\" answered null: answer what the start"));
    assertThat(
            supervisor.startChild(
                ChildSpec.remembering("c", _ -> nothing(), SpawnOptions.<Worker.Msg>defaults())))
        .isInstanceOf(StartChildResult.Failed.class);
    assertThat(supervisor.countChildren().active()).isEqualTo(1);
  }

  @Test
  void nulls_areRefusedWhereTheyAreGiven_byName() {
    assertNull(
        "strategy",
        () ->
            new SupervisorSpec(nothing(), SupervisorLimits.DEFAULT, AutoShutdown.NEVER, List.of()));
    assertNull("limits", () -> new DynamicSpec(1, nothing()));
    assertNull("spec", () -> Supervisor.of(nothing()));
    assertNull("state", () -> Next.with(nothing()));
    assertNull("reason", () -> Next.stop(1, nothing()));
    assertNull("id", () -> ChildTraits.of(nothing()));
    assertNull("restart", () -> ChildTraits.of("a").restarting(nothing()));
    assertNull("shutdown", () -> ChildTraits.of("a").stopping(nothing()));
    assertNull("listener", () -> SupervisorSpec.oneForOne().reportingTo(nothing()));
    assertNull("deadline", () -> SupervisorSpec.oneForOne().withDeadline(nothing()));
    assertNull("period", () -> SupervisorSpec.oneForOne().withIntensity(1, nothing()));
    assertNull("server", () -> Server.of(Optional.<Server<Long, Long>>empty().orElse(nothing())));
  }

  @Test
  void nullsGivenToPoolsManagersAndApplications_areTheCallersFault() {
    Pool<Worker.Msg> pool = pool();
    EventManager<String> manager = EventManager.<String>start(node, options()).orThrow().value();
    Applications all = Applications.start(node, Applications.Options.defaults()).orThrow().value();
    HandlerKey<String> key = HandlerKey.named("key");
    assertNull("worker", () -> Pool.of(nothing(), PoolOptions.<Worker.Msg>of(1)));
    assertNull("options", () -> Pool.of(BadInputTest::startWorker, nothing()));
    assertNull("routing", () -> PoolOptions.of(1).routed(nothing()));
    assertNull("whenFull", () -> PoolOptions.of(1).withQueue(1, nothing()));
    assertNull("ownerEnds", () -> PoolOptions.of(1).whenOwnerEnds(nothing()));
    assertNull("request", () -> pool.<Long>call(nothing(), SECOND));
    assertNull("owner", () -> pool.checkout(nothing(), SECOND));
    assertNull("pid", () -> EventManager.at(nothing()));
    assertNull("key", () -> manager.add(BadInputTest.<HandlerKey<String>>nothing(), new Deaf()));
    assertNull("handler", () -> manager.add(key, nothing()));
    assertNull("key", () -> manager.remove(nothing()));
    assertNull("key", () -> manager.swap(nothing(), key, _ -> new Deaf()));
    assertNull("successor", () -> manager.swap(key, key, nothing()));
    assertNull("request", () -> manager.<String, String>call(key, nothing(), SECOND));
    assertNull("name", () -> Application.of(nothing(), (_, _) -> nothing()));
    assertNull("start", () -> Application.of("a", nothing()));
    assertNull("type", () -> application("a").as(nothing()));
    assertNull("shutdown", () -> application("a").withShutdown(nothing()));
    assertNull("application", () -> all.load(nothing()));
    assertNull("name", () -> all.start(BadInputTest.<String>nothing()));
    assertNull("name", () -> all.ensureStarted(nothing()));
    assertNull("name", () -> all.stop(BadInputTest.<String>nothing()));
    assertNull("application", () -> all.environment(nothing()));
    assertThat(pool.status().size()).isEqualTo(1);
    assertThat(manager.handlers()).isEmpty();
    assertThat(all.running()).isEmpty();
  }

  @Test
  void nullAmongChildrenAndApplications_isToldWithItsPlace() {
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> a = Worker.silent("a");
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> none = nothing();
    String says = "child 2 of 3 is null: give the specification of a child, or leave it out";
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> SupervisorSpec.oneForOne(a, none, a),
            () -> SupervisorSpec.oneForAll(a, none, a),
            () -> SupervisorSpec.restForOne(a, none, a))) {
      assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(says);
    }
    assertNull("child 2 of 2", () -> SupervisorSpec.oneForOne(a).with(none));
    Application missing = nothing();
    assertNull(
        "application 2 of 2",
        () -> Applications.of(Applications.Options.defaults(), application("a"), missing));
  }

  @Test
  void deadPoolsManagersAndApplications_failCallsWithNoProc() {
    Pool<Worker.Msg> pool = pool();
    EventManager<String> manager = EventManager.<String>start(node, options()).orThrow().value();
    Applications all = Applications.start(node, Applications.Options.defaults()).orThrow().value();
    HandlerKey<String> key = HandlerKey.named("key");
    for (Pid<?> pid : List.of(pool.pid(), manager.pid(), all.pid())) {
      pid.kill();
      Await.until("it ends", () -> !pid.isAlive());
    }
    Map<String, ThrowingCallable> calls =
        Map.ofEntries(
            Map.entry("pool call", () -> pool.<Long>call(Worker.Msg.Get::new, SECOND)),
            Map.entry("checkout", () -> pool.checkout(node, SECOND)),
            Map.entry("resize", () -> pool.resize(2)),
            Map.entry("status", pool::status),
            Map.entry("handlers", manager::handlers),
            Map.entry("add", () -> manager.add(key, new Deaf())),
            Map.entry("remove", () -> manager.remove(key)),
            Map.entry("sync", () -> EventManager.at(manager.pid()).syncNotify("a", SECOND)),
            Map.entry("running", all::running),
            Map.entry("load", () -> all.load(application("a"))),
            Map.entry("start", () -> all.start("a")),
            Map.entry("ensure", () -> all.ensureStarted("a")),
            Map.entry("stop", () -> all.stop("a")));
    calls.forEach(BadInputTest::assertNoProc);
    pool.send(new Worker.Msg.Put(1)); // dropped, as any message to the dead
    manager.notify("a");
  }

  /** Case 68: nobody has the name, or whoever is called has ended. */
  @Test
  void callOfAnUnknownNameOrADeadServer_failsAtOnce() {
    Name<Worker.Msg> name = Name.of("nobody");
    assertThat(node.whereis(name)).isEmpty();
    assertThatThrownBy(() -> node.send(name, new Worker.Msg.Put(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nobody");
    Pid<Worker.Msg> worker =
        Server.start(
                node,
                new Worker("a", new CopyOnWriteArrayList<>()),
                SpawnOptions.<Worker.Msg>defaults().named(name))
            .orThrow()
            .pid();
    assertThat(node.whereis(name)).contains(worker);
    worker.kill();
    Await.until("it ends", () -> !worker.isAlive());
    assertThat(node.whereis(name)).isEmpty();
    assertNoProc("dead", () -> worker.<Long>call(Worker.Msg.Get::new, Duration.ofDays(1)));
    assertNoProc("state of the dead", () -> Sys.state(worker, Duration.ofDays(1)));
  }

  @Test
  void impossibleNumbersIdsAndNames_areRefusedWithTheValueAndTheCure() {
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> a = Worker.silent("a");
    Pool<Worker.Msg> pool = pool();
    Map<String, ThrowingCallable> calls =
        Map.ofEntries(
            Map.entry("\"a\": give each an id", () -> SupervisorSpec.restForOne(a, a)),
            Map.entry("\" \": give it a text", () -> Worker.silent(" ")),
            Map.entry("-1", () -> SupervisorSpec.oneForOne().withIntensity(-1, SECOND)),
            Map.entry("PT-1S", () -> SupervisorSpec.oneForOne().withIntensity(1, PAST)),
            Map.entry("PT0S", () -> DynamicSpec.defaults().withIntensity(1, Duration.ZERO)),
            Map.entry("is PT-1S", () -> TASKS.withIntensity(1, PAST)),
            Map.entry("is -2", () -> TASKS.withIntensity(-2, SECOND)),
            Map.entry("0: give", () -> PoolOptions.of(0)),
            Map.entry("-3: give", () -> pool.resize(-3)),
            Map.entry("after PT-1S", () -> PoolOptions.of(1).withStuckAfter(PAST)),
            Map.entry("shutdown is PT-1S", () -> PoolOptions.of(1).withShutdown(PAST)),
            Map.entry("of b is PT-1S", () -> application("b").withShutdown(PAST)),
            Map.entry("-1, but", () -> DynamicSpec.defaults().withMaxChildren(-1)),
            Map.entry("-1, but it must", () -> PartitionSupervisor.of(-1, DynamicSpec.defaults())),
            Map.entry(
                "'', so nobody could depend on it: give",
                () -> Application.of("", (_, _) -> nothing())),
            Map.entry("is no event manager", () -> EventManager.at(node.spawn(_ -> {}))));
    calls.forEach((says, call) ->
        assertThatThrownBy(call)
            .as(says)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(says));
    assertThatThrownBy(() -> pool.<Long>call(Worker.Msg.Get::new, PAST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
    assertThatThrownBy(() -> pool.checkout(node, PAST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
    assertThat(pool.status().waiting()).isZero();
  }

  @Test
  void childOfADynamicSupervisor_canNotHoldMessages() {
    DynamicSupervisor dynamic =
        DynamicSupervisor.start(node, DynamicSpec.defaults()).orThrow().value();
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> holding =
        ChildSpec.of(
                "a",
                Server.of(new Worker("a", new CopyOnWriteArrayList<>())),
                Worker.options().named(Name.of("a")))
            .holding(3);
    assertThatThrownBy(() -> dynamic.startChild(holding))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"a\" holds messages")
        .hasMessageContaining("leave holding() out, or use a Supervisor");
    assertThat(dynamic.countChildren().specs()).isZero();
    assertThatThrownBy(() -> Worker.silent("b").holding(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names none");
    assertThatThrownBy(() -> holding.holding(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds -1 messages");
  }

  // ---------------------------------------------------------------- what is given

  private static final TaskSupervisor.Limits TASKS = TaskSupervisor.Limits.defaults();

  private static <M> SpawnOptions<M> options() {
    return SpawnOptions.defaults();
  }

  private Pool<Worker.Msg> pool() {
    return Pool.start(node, BadInputTest::startWorker, PoolOptions.<Worker.Msg>of(1))
        .orThrow()
        .value();
  }

  private static StartResult<Worker.Msg, Pid<Worker.Msg>> startWorker(Spawner spawner) {
    return Server.start(spawner, new Worker("a", new CopyOnWriteArrayList<>()), options());
  }

  private static Application application(String name) {
    return Application.of(name, (spawner, _) -> startWorker(spawner));
  }

  /** Hears nothing. */
  private static final class Deaf implements EventHandler<Integer, String, String> {
    @Override
    public Integer init(Self<String> self) {
      return 0;
    }

    @Override
    public Handled<Integer, String> onEvent(Self<String> self, Integer state, String event) {
      return Handled.same();
    }
  }

  private static void assertNoProc(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(what)
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason()).isEqualTo(ExitReason.noProc()));
  }

  private static void assertNull(String name, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(name)
        .isInstanceOf(NullPointerException.class)
        .message()
        .startsWith(name);
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what a careless caller gives
  private static <T> T nothing() {
    return null;
  }
}
