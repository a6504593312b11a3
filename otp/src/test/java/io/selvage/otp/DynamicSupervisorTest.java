package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.Body;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dynamic and partitioned supervisors: cases 94 and 95. */
class DynamicSupervisorTest extends KernelTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> told = new CopyOnWriteArrayList<>();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return defaults.withClock(clock);
  }

  private DynamicSupervisor start(Form form, DynamicSpec spec) {
    return DynamicSupervisor.start(node, spec, form.options()).orThrow().value();
  }

  private ChildSpec<Worker.Msg, Pid<Worker.Msg>> worker(String id) {
    return Worker.spec(id, told);
  }

  private static void fail(DynamicSupervisor supervisor, Pid<Worker.Msg> child) {
    child.send(new Worker.Msg.End(new SupervisorTest.Broken("x")));
    Await.until(
        "the supervisor to have dealt with it",
        () ->
            supervisor.whichChildren().stream()
                .noneMatch(info -> info.pid().isPresent() && info.pid().get() == child));
  }

  /** A process that traps exits and ends only when it is killed. */
  private ChildSpec<String, Pid<String>> stuck() {
    return ChildSpec.startedBy(
        "stuck",
        (supervisor, _) -> {
          Body<String> body =
              self -> {
                while (self.pid().isAlive()) {
                  String _ = self.receive();
                  told.add("stuck");
                }
              };
          Pid<String> pid =
              supervisor.spawn(
                  body, SpawnOptions.<String>defaults().linked().trappingExits(Object::toString));
          return new StartResult.Started<>(pid, pid);
        });
  }

  @ParameterizedTest
  @EnumSource
  void stopChildByPid_worksAgainIfDeadAndLeavesStrangersAlone(Form form) {
    DynamicSupervisor supervisor = start(form, DynamicSpec.defaults());
    Pid<Worker.Msg> a = supervisor.startChild(worker("a")).orThrow().pid();
    Pid<Worker.Msg> b = supervisor.startChild(this::worker, "b").orThrow().pid();
    Probe stranger = Probe.start(Kind.EVENT, node);
    assertThat(supervisor.countChildren()).isEqualTo(new ChildCounts(2, 2, 0, 2));
    assertThat(supervisor.stopChild(a)).isEqualTo(new StopChildResult.Stopped());
    assertThat(a.isAlive()).isFalse();
    assertThat(supervisor.stopChild(a)).isEqualTo(new StopChildResult.Stopped());
    assertThat(supervisor.stopChild(stranger.pid()))
        .isEqualTo(new StopChildResult.NotFound(stranger.pid().toString()));
    assertThat(stranger.answers()).isTrue();
    assertThat(supervisor.whichChildren()).extracting(i -> i.pid().orElseThrow()).hasSize(1);
    assertThat(b.isAlive()).isTrue();
    assertThatThrownBy(() -> Supervisor.at(supervisor.pid()).deleteChild("b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("children are known by their pids");
    Sys.stop(supervisor.pid(), ExitReason.shutdown(), Await.LIMIT);
    assertThat(told).containsExactly("start a", "start b", "stop a shutdown", "stop b shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void maxChildren_refusesMore(Form form) {
    DynamicSupervisor supervisor = start(form, DynamicSpec.defaults().withMaxChildren(1));
    Pid<Worker.Msg> a = supervisor.startChild(worker("a")).orThrow().pid();
    assertThat(supervisor.startChild(worker("b"))).isEqualTo(new StartChildResult.TooMany<>(1));
    assertThatThrownBy(() -> supervisor.startChild(worker("b")).orThrow())
        .hasMessageContaining("the most it may have");
    supervisor.stopChild(a).orThrow();
    supervisor.startChild(worker("b")).orThrow();
  }

  @ParameterizedTest
  @EnumSource
  void significantChild_isRefused(Form form) {
    DynamicSupervisor supervisor = start(form, DynamicSpec.defaults());
    assertThatThrownBy(
            () -> supervisor.startChild(worker("a").restarting(Restart.TRANSIENT).significant()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leave significant() out");
  }

  @ParameterizedTest
  @EnumSource
  void children_areRestartedAloneAsTheirTraitsSay(Form form) {
    DynamicSupervisor supervisor =
        start(form, DynamicSpec.defaults().withIntensity(2, Duration.ofHours(1)));
    Pid<Worker.Msg> p = supervisor.startChild(worker("p")).orThrow().pid();
    Pid<Worker.Msg> tr =
        supervisor.startChild(worker("tr").restarting(Restart.TRANSIENT)).orThrow().pid();
    Pid<Worker.Msg> te =
        supervisor.startChild(worker("te").restarting(Restart.TEMPORARY)).orThrow().pid();
    told.clear();
    fail(supervisor, te);
    fail(supervisor, tr);
    fail(supervisor, p);
    assertThat(told).containsExactly("stop te", "stop tr", "start tr", "stop p", "start p");
    assertThat(supervisor.whichChildren())
        .extracting(ChildInfo::id)
        .containsExactlyInAnyOrder("p", "tr");
    Fate fate = Fate.of(node, supervisor.pid());
    supervisor.whichChildren().getFirst().pid().orElseThrow().exit(ExitReason.kill());
    assertThat(fate.reason().toString()).contains("3 restarts", "killed");
    assertThat(node.processes()).doesNotContain(p, tr, te);
  }

  @ParameterizedTest
  @EnumSource
  void restartThatFails_isRetriedAndIgnoringEndsIt(Form form) {
    AtomicBoolean broken = new AtomicBoolean();
    DynamicSupervisor supervisor =
        start(form, DynamicSpec.defaults().withIntensity(10, Duration.ofHours(1)));
    Backoff backoff =
        new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 1, 0, Duration.ofHours(1));
    Pid<Worker.Msg> a =
        supervisor
            .startChild(Worker.spec("a", told, broken::get).backingOff(backoff))
            .orThrow()
            .pid();
    broken.set(true);
    fail(supervisor, a);
    assertThat(supervisor.countChildren()).isEqualTo(new ChildCounts(1, 0, 0, 1));
    clock.advance(Duration.ofMillis(1100));
    Await.until("an attempt", () -> told.contains("fail a"));
    assertThat(supervisor.whichChildren().getFirst().state()).isEqualTo(ChildState.RESTARTING);
    broken.set(false);
    Await.until(
        "a to run",
        () -> {
          clock.advance(Duration.ofMillis(1100));
          return supervisor.countChildren().active() == 1;
        });
    broken.set(true);
    @SuppressWarnings("unchecked")
    Pid<Worker.Msg> again =
        (Pid<Worker.Msg>) supervisor.whichChildren().getFirst().pid().orElseThrow();
    fail(supervisor, again);
    assertThat(supervisor.stopChild(again)).isEqualTo(new StopChildResult.Stopped());
    assertThat(supervisor.whichChildren()).isEmpty();
    assertThat(supervisor.countChildren()).isEqualTo(new ChildCounts(0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void shutdown_stopsAllChildrenAtTheSameTime(Form form) {
    DynamicSupervisor supervisor = start(form, DynamicSpec.defaults());
    Shutdown limit = Shutdown.after(Duration.ofSeconds(2));
    for (int i = 0; i < 3; i++) {
      supervisor.startChild(stuck().stopping(limit)).orThrow();
    }
    supervisor.startChild(worker("a")).orThrow();
    Fate fate = Fate.of(node, supervisor.pid());
    supervisor.pid().exit(ExitReason.shutdown());
    Await.until("a to stop", () -> told.contains("stop a shutdown"));
    Await.until("a to be gone", () -> supervisor.countChildren().specs() == 3);
    clock.advance(Duration.ofMillis(1900));
    assertThat(supervisor.countChildren().specs()).isEqualTo(3);
    clock.advance(Duration.ofMillis(200));
    assertThat(fate.reason()).isEqualTo(ExitReason.shutdown());
  }

  @ParameterizedTest
  @EnumSource
  void whileOneChildIsSlowToStop_othersAreStartedAndStopped(Form form) {
    DynamicSupervisor supervisor = start(form, DynamicSpec.defaults());
    Pid<String> slow = supervisor.startChild(stuck().stopping(Shutdown.infinity())).orThrow().pid();
    var stopped =
        java.util.concurrent.CompletableFuture.supplyAsync(
            () -> supervisor.stopChild(slow), Thread::startVirtualThread);
    Await.until("it to be told", () -> told.contains("stuck"));
    Pid<Worker.Msg> a = supervisor.startChild(worker("a")).orThrow().pid();
    supervisor.stopChild(a).orThrow();
    slow.kill();
    assertThat(Await.result("the stop", stopped)).isEqualTo(new StopChildResult.Stopped());
    assertThat(supervisor.whichChildren()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void killedSupervisor_leavesNoOrphan(Form form) {
    DynamicSupervisor supervisor = start(form, DynamicSpec.defaults());
    List<Pid<?>> children = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 100; i++) {
      children.add(supervisor.startChild(worker("a")).orThrow().pid());
    }
    supervisor.pid().kill();
    Await.until("all to end", () -> children.stream().noneMatch(Pid::isAlive));
  }

  @ParameterizedTest
  @EnumSource
  void partitions_areChosenByKeyAndFoundAgainAfterARestart(Form form) {
    PartitionSupervisor all =
        PartitionSupervisor.start(node, 4, DynamicSpec.defaults(), form.options())
            .orThrow()
            .value();
    PartitionSupervisor same = PartitionSupervisor.at(all.pid());
    assertThat(same.partitions()).isEqualTo(4);
    for (int i = 0; i < 100; i++) {
      String key = "key " + i;
      assertThat(all.of(key)).isEqualTo(same.of(key));
      all.of(key).startChild(worker(key)).orThrow();
    }
    assertThat(all.countChildren().active()).isEqualTo(100);
    for (int i = 0; i < 4; i++) {
      assertThat(all.partition(i).countChildren().active()).isPositive();
    }
    DynamicSupervisor before = all.of("key 1");
    before.pid().kill();
    Await.until(
        "the partition to be restarted",
        () -> !all.of("key 1").equals(before) && all.of("key 1").pid().isAlive());
    assertThat(all.stop(Duration.ofSeconds(10)).isClean()).isTrue();
    assertThat(all.pid().isAlive()).isFalse();
  }
}
