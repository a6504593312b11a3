package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.SystemMessage;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Supervisors: cases 85 to 97. */
class SupervisorTest extends KernelTest {
  private static final ExitReason BOOM = new ExitReason.Shutdown("never seen");

  /** A reason that is a failure. */
  record Broken(String what) implements ExitReason.UserReason {}

  private final ManualClock clock = new ManualClock();

  /** What the children did, in order. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  private final List<SupervisorReport> reports = new CopyOnWriteArrayList<>();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return defaults.withClock(clock);
  }

  private ChildSpec<Worker.Msg, Pid<Worker.Msg>> worker(String id) {
    return Worker.spec(id, told);
  }

  private Supervisor start(Form form, SupervisorSpec spec) {
    return Supervisor.start(node, spec.reportingTo(reports::add), form.options()).orThrow().value();
  }

  private static Pid<?> pidOf(Supervisor supervisor, String id) {
    return infoOf(supervisor, id).pid().orElseThrow();
  }

  private static ChildInfo infoOf(Supervisor supervisor, String id) {
    return supervisor.whichChildren().stream()
        .filter(info -> info.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static Pid<Worker.Msg> workerOf(Supervisor supervisor, String id) {
    return (Pid<Worker.Msg>) pidOf(supervisor, id);
  }

  /** Ends a child and waits until the supervisor has dealt with that. */
  private void end(Supervisor supervisor, String id, ExitReason reason) {
    Pid<Worker.Msg> child = workerOf(supervisor, id);
    child.send(new Worker.Msg.End(reason));
    Await.until("the supervisor to have dealt with " + id, () -> hasDealtWith(supervisor, child));
  }

  private static boolean hasDealtWith(Supervisor supervisor, Pid<?> ended) {
    try {
      return supervisor.whichChildren().stream()
          .noneMatch(info -> info.pid().isPresent() && info.pid().get() == ended);
    } catch (CallException end) {
      return true; // it gave up
    }
  }

  private void fail(Supervisor supervisor, String id) {
    end(supervisor, id, new Broken(id));
  }

  private static void stop(Supervisor supervisor) {
    Sys.stop(supervisor.pid(), ExitReason.shutdown(), Await.LIMIT);
  }

  // ---------------------------------------------------------------- 85

  @ParameterizedTest
  @EnumSource
  void children_startLeftToRightAndStopRightToLeft(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(worker("a"), worker("b"), worker("c")));
    assertThat(told).containsExactly("start a", "start b", "start c");
    told.clear();
    stop(supervisor);
    assertThat(told).containsExactly("stop c shutdown", "stop b shutdown", "stop a shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void startErrorOfChild_stopsThoseBeforeInReverseAndFailsTheStart(Form form) {
    StartResult<SupervisorMessage, Supervisor> result =
        Supervisor.start(
            node,
            SupervisorSpec.oneForOne(
                worker("a"), worker("b"), Worker.spec("c", told, () -> true), worker("d")),
            form.options());
    assertThat(told)
        .containsExactly("start a", "start b", "fail c", "stop b shutdown", "stop a shutdown");
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class,
            ended ->
                assertThat(ended.reason())
                    .isEqualTo(
                        new ExitReason.Shutdown(
                            new SupervisorEnd.StartFailed("c", new ExitReason.Shutdown("no c")))));
  }

  @Test
  void badSpecs_areRefusedWithTheValueAndTheCure() {
    assertThatThrownBy(() -> SupervisorSpec.oneForOne(worker("a"), worker("a")))
        .hasMessage("two children have the id \"a\": give each an id of its own");
    assertThatThrownBy(() -> worker(" ")).hasMessageContaining("\" \": give it a text");
    assertThatThrownBy(() -> SupervisorSpec.oneForOne().withIntensity(1, Duration.ofSeconds(-1)))
        .hasMessageContaining("PT-1S, but it must be more than zero");
    assertThatThrownBy(() -> SupervisorSpec.oneForOne().withIntensity(-1, Duration.ofSeconds(1)))
        .hasMessageContaining("the intensity is -1");
    assertThatThrownBy(() -> Shutdown.after(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
    assertThatThrownBy(() -> worker("a").holding(3)).hasMessageContaining("names none");
    assertThatThrownBy(() ->
            worker("a")
                .restarting(Restart.TEMPORARY)
                .backingOff(Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(2))))
        .hasMessageContaining("is temporary and so never restarted");
    assertThatThrownBy(() -> Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessageContaining("PT1S, less than the first, PT2S");
    assertThatThrownBy(() -> DynamicSpec.defaults().withMaxChildren(0)).hasMessageContaining("0");
    assertThatThrownBy(() -> PartitionSupervisor.of(0, DynamicSpec.defaults()))
        .hasMessageContaining("is 0");
  }

  // ---------------------------------------------------------------- 86

  @ParameterizedTest
  @EnumSource
  void permanentChild_isRestartedAfterAnyExit(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(worker("a")).withIntensity(9, Duration.ofSeconds(1)));
    end(supervisor, "a", ExitReason.normal());
    end(supervisor, "a", ExitReason.shutdown());
    end(supervisor, "a", BOOM);
    fail(supervisor, "a");
    assertThat(infoOf(supervisor, "a").past().restarts()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void transientChild_isRestartedOnlyAfterFailure(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(worker("a").restarting(Restart.TRANSIENT))
                .withIntensity(9, Duration.ofSeconds(1)));
    fail(supervisor, "a");
    for (ExitReason orderly :
        List.of(ExitReason.normal(), ExitReason.shutdown(), new ExitReason.Shutdown("x"))) {
      end(supervisor, "a", orderly);
      assertThat(infoOf(supervisor, "a").state()).isEqualTo(ChildState.STOPPED);
      assertThat(infoOf(supervisor, "a").past().reason()).contains(orderly);
      supervisor.restartChild("a").orThrow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void temporaryChild_isNeverRestartedAndItsSpecIsDropped(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(worker("a").restarting(Restart.TEMPORARY)));
    fail(supervisor, "a");
    assertThat(supervisor.whichChildren()).isEmpty();
    assertThat(supervisor.restartChild("a")).isEqualTo(new RestartChildResult.NotFound("a"));
  }

  // ---------------------------------------------------------------- 87

  @ParameterizedTest
  @EnumSource
  void oneForOne_restartsOnlyTheDeadOne(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(worker("a"), worker("b"), worker("c")));
    told.clear();
    fail(supervisor, "b");
    assertThat(told).containsExactly("stop b", "start b");
  }

  @ParameterizedTest
  @EnumSource
  void oneForAll_stopsTheOthersInReverseThenStartsAllInOrder(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForAll(worker("a"), worker("b"), worker("c")));
    told.clear();
    fail(supervisor, "b");
    Await.until("all to run", () -> supervisor.countChildren().active() == 3);
    assertThat(told)
        .containsExactly(
            "stop b", "stop c shutdown", "stop a shutdown", "start a", "start b", "start c");
  }

  @ParameterizedTest
  @EnumSource
  void restForOne_restartsTheDeadOneAndThoseStartedAfterIt(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.restForOne(worker("a"), worker("b"), worker("c"), worker("d")));
    told.clear();
    fail(supervisor, "b");
    Await.until("all to run", () -> supervisor.countChildren().active() == 4);
    assertThat(told)
        .containsExactly(
            "stop b", "stop d shutdown", "stop c shutdown", "start b", "start c", "start d");
  }

  @ParameterizedTest
  @EnumSource
  void temporarySiblings_killedByARestartAreRemoved(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForAll(
                worker("a"), worker("b").restarting(Restart.TEMPORARY), worker("c")));
    told.clear();
    fail(supervisor, "a");
    Await.until("both to run", () -> told.contains("start c"));
    assertThat(supervisor.whichChildren()).extracting(ChildInfo::id).containsExactly("a", "c");
    assertThat(told)
        .containsExactly("stop a", "stop c shutdown", "stop b shutdown", "start a", "start c");
  }

  // ---------------------------------------------------------------- 88

  @ParameterizedTest
  @EnumSource
  void intensity_restartsFurtherApartThanThePeriodGoOnForEver(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(worker("a")).withIntensity(1, Duration.ofSeconds(1)));
    for (int i = 0; i < 20; i++) {
      fail(supervisor, "a");
      clock.advance(Duration.ofSeconds(1).plusNanos(1));
    }
    assertThat(infoOf(supervisor, "a").past().restarts()).isEqualTo(20);
  }

  @ParameterizedTest
  @EnumSource
  void intensity_restartExactlyAPeriodAgoCounts(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(worker("a")).withIntensity(1, Duration.ofSeconds(1)));
    Fate fate = Fate.of(node, supervisor.pid());
    fail(supervisor, "a");
    clock.advance(Duration.ofSeconds(1));
    fail(supervisor, "a");
    assertThat(fate.reason()).isInstanceOf(ExitReason.Shutdown.class);
  }

  @ParameterizedTest
  @EnumSource
  void intensity_oneMoreThanAllowedStopsTheChildrenAndTellsWhichChildAndWhy(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(worker("a"), worker("b"))
                .withIntensity(2, Duration.ofHours(1)));
    Fate fate = Fate.of(node, supervisor.pid());
    fail(supervisor, "b");
    fail(supervisor, "b");
    told.clear();
    fail(supervisor, "b");
    SupervisorEnd why =
        new SupervisorEnd.TooManyRestarts("b", new Broken("b"), 3, 2, Duration.ofHours(1));
    assertThat(fate.reason()).isEqualTo(new ExitReason.Shutdown(why));
    assertThat(told).containsExactly("stop b", "stop a shutdown");
    assertThat(reports).contains(new SupervisorReport.GaveUp(supervisor.pid(), why));
  }

  @ParameterizedTest
  @EnumSource
  void intensity_isOneInFiveSecondsByDefault(Form form) {
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne(worker("a")));
    Fate fate = Fate.of(node, supervisor.pid());
    fail(supervisor, "a");
    clock.advance(Duration.ofSeconds(5).plusNanos(1));
    fail(supervisor, "a");
    fail(supervisor, "a");
    assertThat(fate.reason().isOrderly()).isTrue();
  }

  // ---------------------------------------------------------------- 89

  @ParameterizedTest
  @EnumSource
  void childThatFailsInInitForEver_endsAtExactlyIntensityPlusOne(Form form) {
    AtomicBoolean broken = new AtomicBoolean();
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(Worker.spec("a", told, broken::get))
                .withIntensity(1000, Duration.ofHours(1)));
    Fate fate = Fate.of(node, supervisor.pid());
    broken.set(true);
    workerOf(supervisor, "a").send(new Worker.Msg.End(new Broken("a")));
    assertThat(fate.reason())
        .isEqualTo(
            new ExitReason.Shutdown(
                new SupervisorEnd.TooManyRestarts(
                    "a", new ExitReason.Shutdown("no a"), 1001, 1000, Duration.ofHours(1))));
    assertThat(told.stream().filter("fail a"::equals)).hasSize(1000);
  }

  @ParameterizedTest
  @EnumSource
  void betweenAttempts_callsAreServedAndTheChildShowsAsRestarting(Form form) {
    AtomicBoolean broken = new AtomicBoolean();
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(
                    worker("z"),
                    Worker.spec("a", told, broken::get)
                        .backingOff(
                            new Backoff(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(4),
                                2,
                                0,
                                Duration.ofSeconds(60))))
                .withIntensity(10, Duration.ofHours(1)));
    broken.set(true);
    fail(supervisor, "a");
    assertThat(infoOf(supervisor, "a").state()).isEqualTo(ChildState.RESTARTING);
    assertThat(supervisor.startChild(worker("a")))
        .isEqualTo(new StartChildResult.AlreadyPresent<>("a"));
    assertThat(supervisor.restartChild("a")).isEqualTo(new RestartChildResult.Restarting("a"));
    assertThat(supervisor.deleteChild("a")).isEqualTo(new DeleteChildResult.Restarting("a"));
    assertThat(supervisor.countChildren()).isEqualTo(new ChildCounts(2, 1, 0, 2));
    assertThat(supervisor.stopChild("a")).isEqualTo(new StopChildResult.Stopped());
    assertThat(infoOf(supervisor, "a").state()).isEqualTo(ChildState.STOPPED);
    clock.advance(Duration.ofMinutes(1));
    assertThat(told).doesNotContain("fail a");
    broken.set(false);
    supervisor.restartChild("a").orThrow();
  }

  @ParameterizedTest
  @EnumSource
  void backoff_waitsLongerEachTimeAndBeginsAnewAfterALongRun(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(
                    worker("a")
                        .backingOff(
                            new Backoff(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(3),
                                2,
                                0,
                                Duration.ofSeconds(60))))
                .withIntensity(10, Duration.ofHours(1)));
    for (int seconds : new int[] {1, 2, 3, 3}) {
      fail(supervisor, "a");
      clock.advance(Duration.ofSeconds(seconds).minusMillis(100));
      assertThat(infoOf(supervisor, "a").state()).isEqualTo(ChildState.RESTARTING);
      clock.advance(Duration.ofMillis(200));
      Await.until("a to run", () -> infoOf(supervisor, "a").state() == ChildState.RUNNING);
    }
    clock.advance(Duration.ofSeconds(60));
    fail(supervisor, "a");
    clock.advance(Duration.ofMillis(1100));
    Await.until("a to run", () -> infoOf(supervisor, "a").state() == ChildState.RUNNING);
  }

  @ParameterizedTest
  @EnumSource
  void shutdownDuringTheRetryLoop_isObeyedAtOnce(Form form) {
    AtomicBoolean broken = new AtomicBoolean();
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(worker("z"), Worker.spec("a", told, broken::get))
                .withIntensity(Integer.MAX_VALUE, Duration.ofNanos(1)));
    broken.set(true);
    fail(supervisor, "a");
    stop(supervisor);
    assertThat(told).endsWith("stop z shutdown");
  }

  // ---------------------------------------------------------------- 90

  @ParameterizedTest
  @EnumSource
  void oneForAll_ifAnotherFailsToStartTheRoundIsRetried(Form form) {
    AtomicInteger failures = new AtomicInteger();
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForAll(
                    worker("a"),
                    Worker.spec(
                        "b", told, () -> failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0),
                    worker("c"))
                .withIntensity(3, Duration.ofHours(1)));
    told.clear();
    failures.set(2);
    fail(supervisor, "c");
    Await.until("all to run", () -> supervisor.countChildren().active() == 3);
    assertThat(told)
        .containsExactly(
            "stop c",
            "stop b shutdown",
            "stop a shutdown",
            "start a",
            "fail b",
            "stop a shutdown",
            "start a",
            "fail b",
            "stop a shutdown",
            "start a",
            "start b",
            "start c");
  }

  // ---------------------------------------------------------------- 93

  @ParameterizedTest
  @EnumSource
  void administration_answersErrorsAsValues(Form form) {
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne());
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> a = worker("a");
    Pid<Worker.Msg> pid = supervisor.startChild(a).orThrow().pid();
    assertThat(supervisor.childSpec("a")).contains(a);
    assertThat(supervisor.stopChild("b")).isEqualTo(new StopChildResult.NotFound("b"));
    assertThat(supervisor.deleteChild("b")).isEqualTo(new DeleteChildResult.NotFound("b"));
    assertThat(supervisor.restartChild("b")).isEqualTo(new RestartChildResult.NotFound("b"));
    assertThat(supervisor.deleteChild("a")).isEqualTo(new DeleteChildResult.Running("a", pid));
    assertThat(supervisor.restartChild("a")).isEqualTo(new RestartChildResult.Running("a", pid));
    assertThat(supervisor.startChild(a)).isEqualTo(new StartChildResult.AlreadyStarted<>("a", pid));
    assertThat(supervisor.stopChild("a")).isEqualTo(new StopChildResult.Stopped());
    assertThat(pid.isAlive()).isFalse();
    assertThat(supervisor.stopChild("a")).isEqualTo(new StopChildResult.Stopped());
    assertThat(supervisor.startChild(a)).isEqualTo(new StartChildResult.AlreadyPresent<>("a"));
    Pid<?> again = supervisor.restartChild("a").orThrow().pid();
    assertThat(again).isNotEqualTo(pid);
    supervisor.stopChild("a").orThrow();
    assertThat(supervisor.deleteChild("a")).isEqualTo(new DeleteChildResult.Deleted());
    assertThatThrownBy(() -> supervisor.restartChild("a").orThrow())
        .isInstanceOf(ChildException.class)
        .hasMessageContaining("there is no child \"a\"");
    assertThatThrownBy(() -> DynamicSupervisor.at(supervisor.pid()).stopChild(pid))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no dynamic supervisor");
    stop(supervisor);
    assertThatThrownBy(supervisor::whichChildren)
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason()).isEqualTo(ExitReason.noProc()));
  }

  @ParameterizedTest
  @EnumSource
  void startThatFails_keepsNoSpec(Form form) {
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne());
    assertThat(supervisor.startChild(Worker.spec("a", told, () -> true)))
        .isEqualTo(new StartChildResult.Failed<>("a", new ExitReason.Shutdown("no a")));
    assertThat(supervisor.whichChildren()).isEmpty();
  }

  // ---------------------------------------------------------------- 94

  private static ChildSpec<String, Pid<String>> ignoring(String id) {
    return ChildSpec.of(
        id,
        Server.of(
            new Server<String, String>() {
              @Override
              public FirstStep<String, String> init(Self<String> self) {
                return FirstStep.ignore();
              }

              @Override
              public Next<String, String> onMessage(
                  Self<String> self, String state, String message) {
                return Next.same();
              }
            }));
  }

  @ParameterizedTest
  @EnumSource
  void ignoredStart_keepsTheSpecUnlessTemporary(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(
                ignoring("p"),
                ignoring("tr").restarting(Restart.TRANSIENT),
                ignoring("te").restarting(Restart.TEMPORARY)));
    assertThat(supervisor.startChild(ignoring("later")))
        .isEqualTo(new StartChildResult.Ignored<>("later"));
    assertThat(supervisor.startChild(ignoring("gone").restarting(Restart.TEMPORARY)))
        .isEqualTo(new StartChildResult.Ignored<>("gone"));
    assertThat(supervisor.whichChildren())
        .extracting(ChildInfo::id, ChildInfo::state, ChildInfo::pid)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("p", ChildState.STOPPED, Optional.empty()),
            org.assertj.core.groups.Tuple.tuple("tr", ChildState.STOPPED, Optional.empty()),
            org.assertj.core.groups.Tuple.tuple("later", ChildState.STOPPED, Optional.empty()));
    assertThat(supervisor.restartChild("p")).isEqualTo(new RestartChildResult.Ignored("p"));
  }

  // ---------------------------------------------------------------- 97

  private ChildSpec<?, ?> significant(String id, Restart restart) {
    return worker(id).restarting(restart).significant();
  }

  @ParameterizedTest
  @EnumSource
  void significant_isRefusedWhereItMeansNothing(Form form) {
    assertThatThrownBy(() -> worker("a").significant())
        .hasMessageContaining("\"a\" is significant and permanent");
    assertThatThrownBy(
            () -> SupervisorSpec.oneForOne(worker("a").restarting(Restart.TRANSIENT).significant()))
        .hasMessageContaining("choose AutoShutdown.ANY_SIGNIFICANT");
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne());
    assertThatThrownBy(() -> supervisor.startChild(significant("a", Restart.TRANSIENT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("choose AutoShutdown.ANY_SIGNIFICANT");
  }

  @ParameterizedTest
  @EnumSource
  void anySignificant_endsWithTheFirst(Form form) {
    for (Restart restart : List.of(Restart.TRANSIENT, Restart.TEMPORARY)) {
      told.clear();
      Supervisor supervisor =
          start(
              form,
              SupervisorSpec.oneForOne(worker("z"))
                  .withAutoShutdown(AutoShutdown.ANY_SIGNIFICANT)
                  .with(significant("a", restart))
                  .with(significant("b", restart)));
      Fate fate = Fate.of(node, supervisor.pid());
      if (restart == Restart.TRANSIENT) {
        fail(supervisor, "a"); // is restarted
      }
      end(supervisor, "a", ExitReason.normal());
      assertThat(fate.reason())
          .isEqualTo(
              new ExitReason.Shutdown(
                  new SupervisorEnd.SignificantChild("a", ExitReason.normal())));
      assertThat(told).endsWith("stop b shutdown", "stop z shutdown");
    }
  }

  @ParameterizedTest
  @EnumSource
  void allSignificant_endsWithTheLast_andStopsByTheSupervisorDoNotCount(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(worker("z"))
                .withAutoShutdown(AutoShutdown.ALL_SIGNIFICANT)
                .with(significant("a", Restart.TRANSIENT))
                .with(significant("b", Restart.TEMPORARY))
                .with(significant("c", Restart.TRANSIENT)));
    Fate fate = Fate.of(node, supervisor.pid());
    end(supervisor, "a", ExitReason.normal());
    supervisor.stopChild("c").orThrow();
    assertThat(supervisor.countChildren().active()).isEqualTo(2);
    fail(supervisor, "b");
    assertThat(fate.reason())
        .isEqualTo(
            new ExitReason.Shutdown(new SupervisorEnd.SignificantChild("b", new Broken("b"))));
  }

  @ParameterizedTest
  @EnumSource
  void stoppedBySiblingRestart_doesNotCountAsSignificantEnd(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForAll(worker("z"))
                .withAutoShutdown(AutoShutdown.ANY_SIGNIFICANT)
                .with(significant("a", Restart.TEMPORARY)));
    fail(supervisor, "z");
    Await.until("z to run", () -> told.lastIndexOf("start z") > 0);
    assertThat(supervisor.whichChildren()).extracting(ChildInfo::id).containsExactly("z");
  }

  @ParameterizedTest
  @EnumSource
  void nestedAutoShutdown_stopsTheParentToo(Form form) {
    Supervisor outer =
        start(
            form,
            SupervisorSpec.oneForOne()
                .withAutoShutdown(AutoShutdown.ANY_SIGNIFICANT)
                .with(
                    ChildSpec.supervisor(
                            "inner",
                            Supervisor.of(
                                SupervisorSpec.oneForOne()
                                    .withAutoShutdown(AutoShutdown.ANY_SIGNIFICANT)
                                    .with(significant("a", Restart.TRANSIENT))))
                        .restarting(Restart.TRANSIENT)
                        .significant()));
    Fate fate = Fate.of(node, outer.pid());
    @SuppressWarnings("unchecked")
    Supervisor inner = Supervisor.at((Pid<SupervisorMessage>) pidOf(outer, "inner"));
    end(inner, "a", ExitReason.normal());
    assertThat(fate.reason())
        .isInstanceOfSatisfying(
            ExitReason.Shutdown.class,
            shutdown ->
                assertThat(((SupervisorEnd) shutdown.detail()).root())
                    .isEqualTo(ExitReason.normal()));
  }

  // ---------------------------------------------------------------- links, stopping, causes

  @ParameterizedTest
  @EnumSource
  void functionForm_refusesAChildThatIsNotLinked(Form form) {
    AtomicBoolean linked = new AtomicBoolean();
    List<Pid<?>> started = new CopyOnWriteArrayList<>();
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> spec =
        ChildSpec.startedBy(
            "a",
            (supervisor, _) -> {
              var options = Worker.options();
              var result =
                  Server.start(
                      supervisor, new Worker("a", told), linked.get() ? options.linked() : options);
              started.add(result.orThrow().pid());
              return result;
            });
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne());
    assertThat(supervisor.startChild(spec))
        .isInstanceOfSatisfying(
            StartChildResult.Failed.class,
            failed -> assertThat(failed.reason().toString()).contains("without a link"));
    Await.until("the stranger to be killed", () -> !started.getFirst().isAlive());
    linked.set(true);
    supervisor.startChild(spec).orThrow();
    fail(supervisor, "a");
    assertThat(infoOf(supervisor, "a").past().restarts()).isEqualTo(1);
  }

  /** A child that ignores being asked to stop. */
  private static ChildSpec<String, Pid<String>> stuck(String id) {
    return ChildSpec.startedBy(
        id,
        (supervisor, _) -> {
          Pid<String> pid =
              supervisor.spawn(
                  (io.selvage.kernel.Body<String>)
                      self -> {
                        while (true) {
                          self.receive();
                        }
                      },
                  SpawnOptions.<String>defaults()
                      .linked()
                      .trappingExits(exit -> "exit " + exit.reason()));
          return new StartResult.Started<>(pid, pid);
        });
  }

  @ParameterizedTest
  @EnumSource
  void childThatDoesNotStopInTime_isKilled(Form form) throws InterruptedException {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(
                worker("a"), stuck("stuck").stopping(Shutdown.after(Duration.ofSeconds(3)))));
    Pid<?> pid = pidOf(supervisor, "stuck");
    Fate fate = Fate.of(node, pid);
    Fate end = Fate.of(node, supervisor.pid());
    supervisor.pid().exit(ExitReason.shutdown());
    Await.until(
        "a to be left", () -> supervisor.countChildren().active() == 2); // it answers meanwhile
    clock.advance(Duration.ofMillis(2900));
    assertThat(pid.isAlive()).isTrue();
    Await.until(
        "stuck to be killed",
        () -> {
          clock.advance(Duration.ofMillis(200));
          return !pid.isAlive();
        });
    assertThat(fate.reason()).isEqualTo(ExitReason.killed());
    assertThat(end.reason()).isEqualTo(ExitReason.shutdown());
    assertThat(told).endsWith("stop a shutdown");
    assertThat(reports).contains(new SupervisorReport.Killed(supervisor.pid(), "stuck", pid));
  }

  @ParameterizedTest
  @EnumSource
  void brutalKill_asksNobody(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(worker("a").stopping(Shutdown.brutal())));
    Fate fate = Fate.of(node, pidOf(supervisor, "a"));
    stop(supervisor);
    assertThat(fate.reason()).isEqualTo(ExitReason.killed());
    assertThat(told).containsExactly("start a");
  }

  @ParameterizedTest
  @EnumSource
  void parentsExit_endsTheSupervisorInOrder(Form form) {
    Probe parent = Probe.start(Kind.EVENT, node);
    Supervisor supervisor =
        parent.run(self ->
            Supervisor.start(
                    self,
                    SupervisorSpec.oneForOne(worker("a"), worker("b")),
                    form.<SupervisorMessage>options().linked())
                .orThrow()
                .value());
    parent.pid().exit(new Broken("parent"));
    Await.until("the supervisor to end", () -> !supervisor.pid().isAlive());
    assertThat(told).containsExactly("start a", "start b", "stop b shutdown", "stop a shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void exitOfAStranger_isIgnoredAndReported(Form form) {
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne(worker("a")));
    Probe stranger = Probe.start(Kind.EVENT, node);
    stranger.act(_ -> supervisor.pid().exit(new Broken("x")));
    assertThat(supervisor.countChildren().active()).isEqualTo(1);
    assertThat(reports)
        .contains(
            new SupervisorReport.ExitIgnored(supervisor.pid(), stranger.pid(), new Broken("x")));
  }

  @ParameterizedTest
  @EnumSource
  void restartedChild_learnsWhyItsPredecessorEndedAndWhatItWasHandling(Form form) {
    List<Past> pasts = new CopyOnWriteArrayList<>();
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(
                ChildSpec.remembering(
                    "a",
                    past -> {
                      pasts.add(past);
                      return Server.of(new Worker("a", told));
                    },
                    form.<Worker.Msg>options())));
    Pid<Worker.Msg> first = workerOf(supervisor, "a");
    Worker.Msg last = new Worker.Msg.Fail("poison");
    first.send(last);
    Await.until("a to be restarted", () -> pasts.size() == 2);
    assertThat(pasts.getFirst()).isEqualTo(Past.NONE);
    Past past = pasts.getLast();
    assertThat(past.restarts()).isEqualTo(1);
    assertThat(past.predecessor()).contains(first);
    assertThat(past.reason().orElseThrow()).isInstanceOf(ExitReason.Crash.class);
    assertThat(past.lastMessage()).contains(last);
    assertThat(supervisor.whichChildren().getFirst().past()).isEqualTo(past);
  }

  @ParameterizedTest
  @EnumSource
  void suspendedSupervisor_actsWhenResumed(Form form) {
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne(worker("a")));
    Pid<Worker.Msg> first = workerOf(supervisor, "a");
    Sys.suspend(supervisor.pid(), Await.LIMIT);
    first.send(new Worker.Msg.End(new Broken("a")));
    Await.until("a to end", () -> !first.isAlive());
    assertThat(Sys.status(supervisor.pid(), Await.LIMIT).suspended()).isTrue();
    assertThat(told).containsExactly("start a", "stop a");
    Sys.resume(supervisor.pid(), Await.LIMIT);
    assertThat(workerOf(supervisor, "a")).isNotEqualTo(first);
    Sys.suspend(supervisor.pid(), Await.LIMIT);
    stop(supervisor);
    assertThat(told).endsWith("stop a shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void suspendedSupervisor_obeysWhoeverEndsIt(Form form) {
    Supervisor supervisor = start(form, SupervisorSpec.oneForOne(worker("a")));
    Fate end = Fate.of(node, supervisor.pid());
    Sys.suspend(supervisor.pid(), Await.LIMIT);
    supervisor.pid().exit(ExitReason.shutdown());
    assertThat(end.reason()).isEqualTo(ExitReason.shutdown());
    assertThat(told).endsWith("stop a shutdown");
  }

  /** Who asks for that learns of the end, which does not wait for a resume. */
  @ParameterizedTest
  @EnumSource
  void supervisorThatStops_isNotSuspended(Form form) {
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(worker("a"), stuck("stuck").stopping(Shutdown.infinity())));
    Pid<?> stuck = pidOf(supervisor, "stuck");
    supervisor.pid().exit(ExitReason.shutdown());
    CompletableFuture<Boolean> suspended =
        SystemMessage.addressOf(supervisor.pid())
            .orElseThrow()
            .<Boolean>callAsync(SystemRequest.Suspend::new, Sys.FOREVER)
            .toCompletableFuture();
    stuck.kill();
    assertThat(suspended)
        .failsWithin(Await.LIMIT)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            CallException.class, why -> assertThat(why.reason()).isEqualTo(ExitReason.shutdown()));
    assertThat(told).endsWith("stop a shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void deadlineOfTheTree_killsWhatIsLeftAndTellsWhoUsedTheTimeUp(Form form) {
    Supervisor top =
        start(
            form,
            SupervisorSpec.oneForOne(
                stuck("a"),
                ChildSpec.supervisor(
                    "below",
                    Supervisor.of(
                        SupervisorSpec.oneForOne(
                            stuck("b"), stuck("stuck").stopping(Shutdown.infinity()))))));
    var stopped =
        java.util.concurrent.CompletableFuture.supplyAsync(
            () -> top.stop(Duration.ofSeconds(7)), Thread::startVirtualThread);
    Await.until(
        "the tree to stop",
        () -> {
          clock.advance(Duration.ofMillis(100));
          return stopped.isDone();
        });
    ShutdownReport report = stopped.join();
    assertThat(report.children())
        .extracting(ShutdownReport.Stop::path, ShutdownReport.Stop::killed)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("below", false),
            org.assertj.core.groups.Tuple.tuple("below/stuck", true),
            org.assertj.core.groups.Tuple.tuple("below/b", true),
            org.assertj.core.groups.Tuple.tuple("a", true));
    assertThat(report.isClean()).isFalse();
    assertThat(report.slowest().orElseThrow().path()).isEqualTo("below/stuck");
    assertThat(reports).anyMatch(SupervisorReport.DeadlineOver.class::isInstance);
  }

  // ---------------------------------------------------------------- messages held for a name

  @ParameterizedTest
  @EnumSource
  void messagesSentToTheNameWhileItsProcessRestarts_reachTheNextInOrder(Form form) {
    Name<Worker.Msg> name = Name.of("held");
    List<Object> dead = new CopyOnWriteArrayList<>();
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(
                    ChildSpec.of(
                            "a", Server.of(new Worker("a", told)), Worker.options().named(name))
                        .backingOff(Backoff.doubling(Duration.ofSeconds(9), Duration.ofSeconds(9)))
                        .holding(2))
                .withIntensity(9, Duration.ofSeconds(1)));
    try (var _ =
        node.subscribe(
            EventFilter.of(KernelEvent.DeadLetter.class),
            event -> dead.add(((KernelEvent.DeadLetter) event).message()))) {
      node.send(name, new Worker.Msg.Put(1));
      fail(supervisor, "a");
      assertThat(node.whereis(name)).isEmpty();
      Worker.Msg lost = new Worker.Msg.Put(4);
      node.send(name, new Worker.Msg.Put(2));
      node.send(name, new Worker.Msg.Put(3));
      node.send(name, lost);
      Await.until("the third to be a dead letter", () -> dead.contains(lost));
    }
    clock.advance(Duration.ofSeconds(10));
    Await.until("a to run", () -> node.whereis(name).isPresent());
    assertThat(node.whereis(name).orElseThrow().<Long>call(Worker.Msg.Get::new, Await.LIMIT))
        .isEqualTo(3);
    supervisor.stopChild("a").orThrow();
    assertThatThrownBy(() -> node.send(name, new Worker.Msg.Put(5)))
        .isInstanceOf(IllegalArgumentException.class);
    supervisor.restartChild("a").orThrow();
    stop(supervisor);
    assertThatThrownBy(() -> node.send(name, new Worker.Msg.Put(5)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void messagesSentAllTheTime_reachOneProcessInOrderOrAreUnreadByOneThatEnded(Form form) {
    Name<Integer> name = Name.of("gap");
    List<Integer> got = new CopyOnWriteArrayList<>();
    Server<Integer, Integer> server =
        new Server<>() {
          @Override
          public FirstStep<Integer, Integer> init(Self<Integer> self) {
            return Next.with(0);
          }

          @Override
          public Next<Integer, Integer> onMessage(
              Self<Integer> self, Integer state, Integer message) {
            got.add(message);
            return message % 100 == 99 ? Next.stop(state, new Broken("on purpose")) : Next.same();
          }
        };
    Supervisor supervisor =
        start(
            form,
            SupervisorSpec.oneForOne(
                    ChildSpec.of(
                            "a", Server.of(server), SpawnOptions.<Integer>defaults().named(name))
                        .holding(1_000_000))
                .withIntensity(1_000_000, Duration.ofHours(1)));
    for (int i = 0; i < 3_000; i++) {
      node.send(name, i);
    }
    Await.until(
        "all to be taken, or left unread by a process that ended",
        () -> got.size() + node.stats().undelivered() == 3_000);
    assertThat(got).isSorted().doesNotHaveDuplicates();
    stop(supervisor);
  }
}
