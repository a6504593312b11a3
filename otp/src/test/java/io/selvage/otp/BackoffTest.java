package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.ManualClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The wait before a restart: how long it is, and who waits. */
class BackoffTest extends KernelTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Backoff STEADY = new Backoff(SECOND, SECOND, 1, 0, Duration.ofHours(1));

  private final ManualClock clock = new ManualClock();

  /** What the children did, in order. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return defaults.withClock(clock);
  }

  private ChildSpec<Worker.Msg, Pid<Worker.Msg>> worker(String id) {
    return Worker.spec(id, told).backingOff(STEADY);
  }

  private Supervisor start(Form form, SupervisorSpec spec) {
    Supervisor supervisor =
        Supervisor.start(node, spec.withIntensity(10, Duration.ofHours(9)), form.options())
            .orThrow()
            .value();
    told.clear();
    return supervisor;
  }

  @SuppressWarnings("unchecked") // all children are workers
  private static void fail(Supervisor supervisor, String id) {
    ((Pid<Worker.Msg>)
            supervisor.whichChildren().stream()
                .filter(info -> info.id().equals(id))
                .findFirst()
                .orElseThrow()
                .pid()
                .orElseThrow())
        .send(new Worker.Msg.End(new SupervisorTest.Broken(id)));
  }

  private void awaitRestarting(Supervisor supervisor, String id, int active) {
    Await.until(
        id + " to wait for its restart",
        () ->
            supervisor.countChildren().active() == active
                && supervisor.whichChildren().stream()
                    .anyMatch(i -> i.id().equals(id) && i.state() == ChildState.RESTARTING));
  }

  @Test
  void jitter_shortensAWaitByItsPartAtMost_andDiffers() {
    Backoff backoff = new Backoff(SECOND, Duration.ofSeconds(4), 2, 0.5, SECOND);
    Random random = new Random(7);
    int[] most = {1, 2, 4, 4};
    for (int attempt = 0; attempt < most.length; attempt++) {
      Duration longest = Duration.ofSeconds(most[attempt]);
      Set<Duration> waits = new HashSet<>();
      for (int i = 0; i < 1000; i++) {
        Duration wait = backoff.wait(attempt, random);
        assertThat(wait).isBetween(longest.dividedBy(2), longest);
        waits.add(wait);
      }
      assertThat(waits).hasSizeGreaterThan(900);
    }
  }

  @ParameterizedTest
  @EnumSource
  void times_canBeOfAnyLength(Form form) {
    Backoff patient = new Backoff(SECOND, LONGEST, 1000, 0, LONGEST);
    assertThat(patient.wait(Integer.MAX_VALUE, new Random(1))).isGreaterThan(Duration.ofDays(9999));
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForOne(Worker.spec("a", told).backingOff(patient)));
    fail(supervisor, "a");
    awaitRestarting(supervisor, "a", 0);
    clock.advance(SECOND.plusMillis(100));
    Await.until("a to run", () -> supervisor.countChildren().active() == 1);
    DynamicSupervisor dynamic =
        DynamicSupervisor.start(node, DynamicSpec.defaults()).orThrow().value();
    Pid<Worker.Msg> b =
        dynamic.startChild(Worker.spec("b", told).backingOff(patient)).orThrow().pid();
    b.send(new Worker.Msg.End(new SupervisorTest.Broken("b")));
    Await.until("b to wait", () -> dynamic.countChildren().active() == 0);
    assertThat(dynamic.countChildren().specs()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void oneForAll_stopsTheOthersAtOnce_andStartsAllAfterTheWait(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.oneForAll(worker("a"), worker("b"), worker("c")));
    fail(supervisor, "b");
    awaitRestarting(supervisor, "b", 0);
    assertThat(told).containsExactly("stop b", "stop c shutdown", "stop a shutdown");
    told.clear();
    clock.advance(SECOND.minusMillis(100));
    assertThat(supervisor.countChildren().active()).isZero();
    clock.advance(Duration.ofMillis(200));
    Await.until("all to run", () -> supervisor.countChildren().active() == 3);
    assertThat(told).containsExactly("start a", "start b", "start c");
  }

  @ParameterizedTest
  @EnumSource
  void restForOne_stopsThoseAfterItAtOnce_andStartsThemAfterTheWait(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.restForOne(worker("a"), worker("b"), worker("c")));
    fail(supervisor, "b");
    awaitRestarting(supervisor, "b", 1);
    assertThat(told).containsExactly("stop b", "stop c shutdown");
    told.clear();
    clock.advance(SECOND.plusMillis(100));
    Await.until("all to run", () -> supervisor.countChildren().active() == 3);
    assertThat(told).containsExactly("start b", "start c");
  }

  @ParameterizedTest
  @EnumSource
  void oneThatRunsOnBeside_mayFailDuringTheWait_andBothRunAfterIt(Form form) {
    Supervisor supervisor =
        start(form, SupervisorSpec.restForOne(worker("a"), worker("b"), worker("c")));
    fail(supervisor, "b");
    awaitRestarting(supervisor, "b", 1);
    fail(supervisor, "a");
    awaitRestarting(supervisor, "a", 0);
    told.clear();
    clock.advance(SECOND.plusMillis(100));
    Await.until("all to run", () -> supervisor.countChildren().active() == 3);
    clock.advance(SECOND.plusMillis(100));
    assertThat(supervisor.countChildren().active()).isEqualTo(3);
    assertThat(told).containsExactly("start a", "start b", "start c");
  }

  /** Takes as long to end as the test wants. */
  private record Lingering(CountDownLatch ends, CountDownLatch mayEnd)
      implements Server<Long, Worker.Msg> {
    @Override
    public FirstStep<Long, Worker.Msg> init(Self<Worker.Msg> self) {
      return Next.with(0L);
    }

    @Override
    public Next<Long, Worker.Msg> onMessage(Self<Worker.Msg> self, Long state, Worker.Msg message) {
      return Next.same();
    }

    @Override
    public void terminate(Self<Worker.Msg> self, Long state, ExitReason reason) throws Exception {
      ends.countDown();
      mayEnd.await();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "EVENT, ONE_FOR_ALL, true", "EVENT, ONE_FOR_ALL, false",
    "EVENT, REST_FOR_ONE, true", "EVENT, REST_FOR_ONE, false",
    "VIRTUAL_THREAD, ONE_FOR_ALL, true", "VIRTUAL_THREAD, ONE_FOR_ALL, false",
    "VIRTUAL_THREAD, REST_FOR_ONE, true", "VIRTUAL_THREAD, REST_FOR_ONE, false"
  })
  void failedChild_showsAsRestarting_alsoWhileOthersAreStoppedForIt(
      Form form, Strategy strategy, boolean backsOff) throws Exception {
    CountDownLatch ends = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ChildSpec<Worker.Msg, Pid<Worker.Msg>> failing = Worker.spec("b", told);
    Supervisor supervisor =
        start(
            form,
            new SupervisorSpec(
                strategy,
                SupervisorLimits.DEFAULT,
                AutoShutdown.NEVER,
                List.of(
                    ChildSpec.of("a", Server.of(new Lingering(ends, mayEnd)), Worker.options()),
                    backsOff ? failing.backingOff(STEADY) : failing,
                    ChildSpec.of("c", Server.of(new Lingering(ends, mayEnd)), Worker.options()))));
    fail(supervisor, "b");
    assertThat(ends.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(supervisor.whichChildren())
        .extracting(ChildInfo::state)
        .containsExactly(ChildState.RUNNING, ChildState.RESTARTING, ChildState.RUNNING);
    mayEnd.countDown();
    if (backsOff) {
      awaitRestarting(supervisor, "b", strategy == Strategy.ONE_FOR_ALL ? 0 : 1);
      clock.advance(SECOND.plusMillis(2));
    }
    Await.until("all to run", () -> supervisor.countChildren().active() == 3);
    assertThat(supervisor.whichChildren())
        .extracting(ChildInfo::state)
        .containsOnly(ChildState.RUNNING);
  }

  @ParameterizedTest
  @EnumSource
  void shutdownDuringTheWait_isObeyedAtOnce_andNothingIsStartedLater(Form form) {
    Supervisor supervisor = start(form, SupervisorSpec.restForOne(worker("a"), worker("b")));
    fail(supervisor, "b");
    awaitRestarting(supervisor, "b", 1);
    Sys.stop(supervisor.pid(), ExitReason.shutdown(), Await.LIMIT);
    clock.advance(Duration.ofMinutes(1));
    assertThat(told).containsExactly("stop b", "stop a shutdown");
    assertThat(node.processes()).isEmpty();
  }
}
