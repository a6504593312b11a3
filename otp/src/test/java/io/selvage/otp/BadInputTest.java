package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
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
    calls.forEach((what, call) ->
        assertThatThrownBy(call)
            .as(what)
            .isInstanceOfSatisfying(
                CallException.class, e -> assertThat(e.reason()).isEqualTo(ExitReason.noProc())));
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
        () -> new SupervisorSpec(nothing(), Limits.DEFAULT, AutoShutdown.NEVER, List.of()));
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
