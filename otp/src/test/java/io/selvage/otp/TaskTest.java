package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks and their owners: every case for owners of both kinds, and for threads. */
class TaskTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final Duration NOW = Duration.ZERO;
  private static final Duration SHORT = Duration.ofMillis(5);

  private final CountDownLatch release = new CountDownLatch(1);

  /** Code that runs until the test releases it. */
  private String held(Self<?> self) throws InterruptedException {
    release.await();
    return "released";
  }

  private static String fails(Self<?> self) {
    throw new IllegalArgumentException("no");
  }

  private void awaitEnd(Pid<?> pid) {
    Await.until(pid + " to end", () -> !pid.isAlive());
  }

  /** Nothing is left of tasks but the probes. */
  private void awaitProcesses(int expected) {
    Await.until(
        () -> "processes: " + node.processes(), () -> node.stats().processes() == expected, SOON);
  }

  // ---------------------------------------------------------------- results

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void await_answersTheResult_andLeavesNothing(Kind kind) {
    Probe owner = Probe.trapping(kind, node);
    assertThat(owner.<String>run(self -> Task.async(self, _ -> "done").await(SOON)))
        .isEqualTo("done");
    awaitProcesses(1);
    owner.assertQuiet();
    var info = node.info(owner.pid()).orElseThrow();
    assertThat(info.monitors().count()).isZero();
    assertThat(info.monitoredBy().count()).isZero();
    assertThat(info.links().count()).isZero();
    assertThat(info.aliases()).isZero();
    assertThat(info.mailbox()).isZero();
  }

  @Test
  void await_byAThread_answersTheResult() {
    Task<String> task = Task.async(node, _ -> "done");
    assertThat(task.await(SOON)).isEqualTo("done");
    assertThat(task.await(NOW)).as("again").isEqualTo("done");
    awaitProcesses(0);
  }

  @Test
  void await_ofFailedTask_throwsItsReason() {
    Task<String> task = Task.async(node, TaskTest::fails);
    assertThatThrownBy(() -> task.await(SOON))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason()).isInstanceOf(ExitReason.Crash.class))
        .hasRootCauseMessage("no");
    Task<String> exits =
        Task.async(
            node,
            _ -> {
              throw new ExitException(new ExitReason.Shutdown("enough"));
            });
    assertThat(exits.poll(SOON))
        .contains(new Outcome.Failed<>(exits.pid(), new ExitReason.Shutdown("enough")));
  }

  @Test
  void null_isRefusedAsAResult() {
    Task<String> task = Task.async(node, _ -> null);
    assertThatThrownBy(() -> task.await(SOON))
        .hasRootCauseMessage(
            "the code of a task answered null instead of a result: answer a value, or use Task.start"
                + " for code that has none");
  }

  @Test
  void await_inTheHandlersOfManyEventProcesses_keepsNoWorkerFromOthers() {
    int owners = 4 * Runtime.getRuntime().availableProcessors();
    List<Probe> probes =
        java.util.stream.IntStream.range(0, owners)
            .mapToObj(_ -> Probe.start(Kind.EVENT, node))
            .toList();
    List<CompletableFuture<String>> waiting =
        probes.stream()
            .map(probe -> probe.<String>start(self -> Task.async(self, this::held).await(SOON)))
            .toList();
    Await.until("all tasks run", () -> node.stats().processes() == 3L * owners);
    assertThat(Probe.start(Kind.EVENT, node).answers()).isTrue();
    release.countDown();
    waiting.forEach(each -> assertThat(Await.result("a result", each)).isEqualTo("released"));
  }

  // ---------------------------------------------------------------- not in time

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void await_notInTime_endsTheTask_andNotItsOwner(Kind kind) {
    Probe owner = Probe.trapping(kind, node);
    AtomicReference<Task<String>> task = new AtomicReference<>();
    assertThatThrownBy(() ->
            owner.run(self -> {
              task.set(Task.async(self, this::held));
              return task.get().await(SHORT);
            }))
        .isInstanceOf(CallTimeoutException.class)
        .hasMessageContaining("did not reply within 5 ms");
    awaitEnd(task.get().pid());
    awaitProcesses(1);
    owner.assertQuiet();
  }

  @Test
  void poll_notInTime_letsTheTaskGoOn() {
    Task<String> task = Task.async(node, this::held);
    assertThat(task.poll(NOW)).isEmpty();
    assertThat(task.poll(SHORT)).isEmpty();
    release.countDown();
    assertThat(task.poll(SOON)).contains(new Outcome.Replied<>("released"));
  }

  @Test
  void poll_againAndAgain_leavesNothingAtTheTask() {
    Task<String> task = Task.async(node, this::held);
    for (int i = 0; i < 100; i++) {
      assertThat(task.poll(Duration.ofNanos(1))).isEmpty();
    }
    assertThat(node.info(task.pid()).orElseThrow().mailbox())
        .as("the signal of the guard's monitor at most")
        .isLessThan(2);
    release.countDown();
    assertThat(task.await(SOON)).isEqualTo("released");
  }

  @Test
  void negativeTimeout_isRefused() {
    Task<String> task = Task.async(node, _ -> "done");
    assertThatThrownBy(() -> task.await(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the timeout is PT-1S");
  }

  // ---------------------------------------------------------------- owners

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void othersThanTheOwner_areRefused(Kind kind) {
    Probe owner = Probe.start(kind, node);
    Task<String> task = owner.run(self -> Task.async(self, this::held));
    Probe other = Probe.start(kind, node);
    assertThatThrownBy(() -> task.await(SOON))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only its owner may use the task " + task.pid())
        .hasMessageContaining(owner.pid().toString());
    assertThatThrownBy(() -> other.run(_ -> task.poll(SOON)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only its owner");
    Task<String> ofThread = Task.async(node, this::held);
    assertThatThrownBy(() -> other.run(_ -> ofThread.shutdown(SOON)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only its owner")
        .hasMessageContaining("starts them with its self");
    release.countDown();
    assertThat(owner.<String>run(_ -> task.await(SOON))).isEqualTo("released");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void failedTask_endsItsOwner_unlessThatTrapsExits(Kind kind) {
    Probe owner = Probe.start(kind, node);
    owner.tell(self -> Task.async(self, TaskTest::fails).await(SOON));
    owner.awaitEnd();
    Probe trapping = Probe.trapping(kind, node);
    assertThatThrownBy(() -> trapping.run(self -> Task.async(self, TaskTest::fails).await(SOON)))
        .isInstanceOf(CallException.class);
    assertThat(trapping.nextExit().reason()).isInstanceOf(ExitReason.Crash.class);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void ownerThatEnds_takesItsTasksWithIt_alsoIfItEndsNormally(Kind kind) {
    for (ExitReason reason :
        List.of(ExitReason.normal(), new ExitReason.Shutdown("x"), ExitReason.kill())) {
      Probe owner = Probe.start(kind, node);
      Task<String> task = owner.run(self -> Task.async(self, this::held));
      if (reason.equals(ExitReason.kill())) {
        owner.pid().kill();
      } else {
        owner.tell(_ -> {
          throw new ExitException(reason);
        });
      }
      owner.awaitEnd();
      awaitEnd(task.pid());
      awaitProcesses(0);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void ownerKilledWhileItAwaits_takesItsTaskWithIt(Kind kind) {
    Probe owner = Probe.start(kind, node);
    AtomicReference<Pid<?>> pid = new AtomicReference<>();
    owner.tell(self -> {
      Task<String> task = Task.async(self, this::held);
      pid.set(task.pid());
      String _ = task.await(SOON);
    });
    Await.until("the task runs", () -> pid.get() != null);
    owner.pid().kill();
    awaitEnd(pid.get());
    awaitProcesses(0);
  }

  // ---------------------------------------------------------------- the end of tasks

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void shutdown_endsIt_andTellsWhatCameOfItBefore(Kind kind) {
    Probe owner = Probe.trapping(kind, node);
    owner.act(self -> {
      Task<String> running = Task.async(self, this::held);
      assertThat(running.shutdown(SOON)).isEmpty();
      assertThat(running.pid().isAlive()).isFalse();
      Task<String> done = Task.async(self, _ -> "done");
      Await.until("done", () -> !done.pid().isAlive());
      assertThat(done.shutdown(SOON)).contains(new Outcome.Replied<>("done"));
      Task<String> killed = Task.async(self, this::held);
      assertThat(killed.kill()).isEmpty();
      assertThat(killed.pid().isAlive()).isFalse();
    });
    awaitProcesses(1);
    owner.assertQuiet();
  }

  @Test
  void shutdown_ofTaskThatFailedBefore_tellsTheFailure() {
    Task<String> task = Task.async(node, TaskTest::fails);
    awaitEnd(task.pid());
    assertThat(task.shutdown(SOON).orElseThrow()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void shutdown_ofCodeThatCatchesTheInterrupt_killsIt() {
    CountDownLatch running = new CountDownLatch(1);
    Task<String> task =
        Task.async(
            node,
            _ -> {
              running.countDown();
              while (true) {
                try {
                  release.await();
                  return "released";
                } catch (InterruptedException _) {
                  // stubborn
                }
              }
            });
    Await.until("it runs", () -> running.getCount() == 0);
    assertThat(task.shutdown(SHORT)).isEmpty();
    release.countDown();
    awaitProcesses(0);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void ignored_runsOnWithoutItsOwner(Kind kind) {
    Probe owner = Probe.start(kind, node);
    Task<String> task =
        owner.run(self -> {
          Task<String> started = Task.async(self, this::held);
          assertThat(started.ignore()).isEmpty();
          assertThatThrownBy(() -> started.await(SOON))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("is ignored");
          return started;
        });
    owner.pid().kill();
    owner.awaitEnd();
    awaitProcesses(1);
    assertThat(task.pid().isAlive()).isTrue();
    release.countDown();
    awaitProcesses(0);
  }

  @Test
  void taskKilledFromOutside_isAFailureWithItsReason() {
    Task<String> task = Task.async(node, this::held);
    Await.until(
        "its guard watches it",
        () -> {
          var info = node.info(task.pid()).orElseThrow();
          return info.monitoredBy().count() + info.mailbox() == 1; // taken, or about to be
        });
    task.pid().kill();
    assertThat(task.poll(SOON)).contains(new Outcome.Failed<>(task.pid(), ExitReason.killed()));
  }

  // ---------------------------------------------------------------- without a result

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void start_isNobodyElsesConcern_startLinkedIs(Kind kind) {
    Probe owner = Probe.start(kind, node);
    Pid<?> alone =
        owner.run(self ->
            Task.start(
                self,
                _ -> {
                  throw new ExitException(new ExitReason.Shutdown("x"));
                }));
    awaitEnd(alone);
    assertThat(owner.answers()).isTrue();
    owner.tell(self ->
        Task.startLinked(
            self,
            _ -> {
              throw new ExitException(new ExitReason.Shutdown("x"));
            }));
    owner.awaitEnd();
  }

  @Test
  void callers_areThoseOnWhoseBehalfItRuns_nearestFirst() {
    Probe owner = Probe.start(Kind.EVENT, node);
    AtomicReference<Pid<?>> outer = new AtomicReference<>();
    List<Pid<?>> callers =
        owner.run(self ->
            Task.async(
                    self,
                    task -> {
                      outer.set(task.pid());
                      return Task.async(task, inner -> Task.callers(inner)).await(SOON);
                    })
                .await(SOON));
    assertThat(callers).isEqualTo(List.of(outer.get(), owner.pid()));
    assertThat(Task.async(node, Task::callers).await(SOON)).isEmpty();
  }

  // ---------------------------------------------------------------- many

  @Test
  void awaitMany_answersInOrder_andEndsTheRestWhenOneFails() {
    assertThat(
            Tasks.awaitMany(
                List.of(
                    Task.async(node, _ -> 1), Task.async(node, _ -> 2), Task.async(node, _ -> 3)),
                SOON))
        .containsExactly(1, 2, 3);
    Task<String> running = Task.async(node, this::held);
    List<Task<String>> tasks = List.of(Task.async(node, TaskTest::fails), running);
    assertThatThrownBy(() -> Tasks.awaitMany(tasks, SOON)).isInstanceOf(CallException.class);
    awaitEnd(running.pid());
    Task<String> slow = Task.async(node, this::held);
    assertThatThrownBy(() -> Tasks.awaitMany(List.of(slow), SHORT))
        .isInstanceOf(CallTimeoutException.class);
    awaitProcesses(0);
  }

  @Test
  void pollMany_leavesThoseRunningThatHaveNone() {
    Task<String> slow = Task.async(node, this::held);
    Task<String> quick = Task.async(node, _ -> "quick");
    Await.until("quick", () -> !quick.pid().isAlive());
    assertThat(Tasks.pollMany(List.of(slow, quick), SHORT))
        .containsExactly(Optional.empty(), Optional.of(new Outcome.Replied<>("quick")));
    release.countDown();
    assertThat(slow.await(SOON)).isEqualTo("released");
  }

  // ---------------------------------------------------------------- races

  @ParameterizedTest
  @EnumSource(names = {"EVENT", "DIRECT"})
  void doneAgainstTimeout_givesOneOrTheOther_andLeavesNothing(Kind kind) {
    Probe owner = Probe.trapping(kind, node);
    int done = 0;
    int rounds = Rounds.part(10);
    for (int i = 0; i < rounds; i++) {
      long nanos = i % 100 * 1_000L;
      done +=
          owner.<Integer>run(self -> {
            Task<Integer> task = Task.async(self, _ -> 1);
            try {
              return task.await(Duration.ofNanos(nanos));
            } catch (CallTimeoutException late) {
              return 0;
            }
          });
    }
    assertThat(done).isBetween(0, rounds);
    awaitProcesses(1);
    owner.assertQuiet();
  }

  @Test
  void shutdownAgainstDone_givesTheResultOrNothing() {
    for (int i = 0; i < Rounds.part(10); i++) {
      Task<Integer> task = Task.async(node, _ -> 1);
      Optional<Outcome<Integer>> outcome = task.shutdown(SOON);
      if (outcome.isPresent()) {
        assertThat(outcome).contains(new Outcome.Replied<>(1));
      }
    }
    awaitProcesses(0);
  }
}
