package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that are children of a supervisor, and not linked with their owners. */
class TaskSupervisorTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;

  private final CountDownLatch release = new CountDownLatch(1);

  private String held(Self<?> self) throws InterruptedException {
    release.await();
    return "released";
  }

  private static String fails(Self<?> self) {
    throw new IllegalArgumentException("no");
  }

  private TaskSupervisor start(Form form) {
    return node.start(
            TaskSupervisor.<Object>of(TaskSupervisor.Limits.defaults()),
            SOON,
            form.<Object>options())
        .orThrow()
        .value();
  }

  private void awaitEnd(Pid<?> pid) {
    Await.until(pid + " to end", () -> !pid.isAlive());
  }

  @ParameterizedTest
  @EnumSource
  void unlinkedTask_thatFails_isAValue_andItsOwnerLives(Form form) {
    TaskSupervisor tasks = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    Outcome<String> outcome =
        owner.run(
            self -> tasks.asyncUnlinked(self, TaskSupervisorTest::fails).poll(SOON).orElseThrow());
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(owner.answers()).isTrue();
    owner.assertQuiet();
    assertThat(tasks.pid().isAlive()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void unlinkedTask_outlivesItsOwner_linkedDoesNot(Form form) {
    TaskSupervisor tasks = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    Pid<?> unlinked = owner.run(self -> tasks.asyncUnlinked(self, this::held).pid());
    Pid<?> linked = owner.run(self -> tasks.async(self, this::held).pid());
    assertThat(tasks.children()).isEqualTo(List.of(unlinked, linked));
    owner.pid().kill();
    awaitEnd(linked);
    Await.until("one is left", () -> tasks.children().size() == 1);
    assertThat(unlinked.isAlive()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void linkedTask_thatFails_endsItsOwner_notTheSupervisor(Form form) {
    TaskSupervisor tasks = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    owner.tell(self -> tasks.async(self, TaskSupervisorTest::fails).await(SOON));
    owner.awaitEnd();
    assertThat(tasks.children()).isEmpty();
    Probe trapping = Probe.trapping(Kind.EVENT, node);
    assertThat(trapping.<String>run(self -> tasks.async(self, _ -> "done").await(SOON)))
        .isEqualTo("done");
    trapping.assertQuiet();
  }

  @ParameterizedTest
  @EnumSource
  void supervisorThatEnds_endsItsTasks(Form form) {
    TaskSupervisor tasks = start(form);
    Task<String> task = tasks.async(node, this::held);
    Pid<?> alone = tasks.start(node, this::held);
    Sys.stop(tasks.pid(), ExitReason.shutdown(), SOON);
    assertThat(task.pid().isAlive()).isFalse();
    assertThat(alone.isAlive()).isFalse();
    assertThat(task.poll(SOON)).contains(new Outcome.Failed<>(task.pid(), ExitReason.shutdown()));
    assertThatThrownBy(() -> tasks.async(node, this::held)).isInstanceOf(CallException.class);
    TaskSupervisor killed = start(form);
    Task<String> other = killed.async(node, this::held);
    killed.pid().kill();
    awaitEnd(other.pid());
  }

  @Test
  void parentThatEnds_endsTheSupervisorAndItsTasks() {
    Probe parent = Probe.start(Kind.EVENT, node);
    TaskSupervisor tasks =
        parent.run(
            self -> TaskSupervisor.start(self, TaskSupervisor.Limits.defaults()).orThrow().value());
    Task<String> task = tasks.async(node, this::held);
    parent.pid().exit(ExitReason.shutdown());
    awaitEnd(tasks.pid());
    awaitEnd(task.pid());
  }

  @ParameterizedTest
  @EnumSource
  void terminate_endsOneOfItsTasks_andNoOther(Form form) {
    TaskSupervisor tasks = start(form);
    Task<String> task = tasks.async(node, this::held);
    Task<String> other = Task.async(node, this::held);
    assertThat(tasks.terminate(other.pid())).isFalse();
    assertThat(tasks.terminate(task.pid())).isTrue();
    awaitEnd(task.pid());
    assertThat(other.pid().isAlive()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void moreThanTheLimit_areRefused(Form form) {
    TaskSupervisor tasks =
        node.start(
                TaskSupervisor.<Object>of(TaskSupervisor.Limits.defaults().withChildren(1)),
                SOON,
                form.<Object>options())
            .orThrow()
            .value();
    Task<String> task = tasks.async(node, this::held);
    assertThatThrownBy(() -> tasks.async(node, this::held))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("as many tasks as it may");
    release.countDown();
    assertThat(task.await(SOON)).isEqualTo("released");
    Await.until("it is gone", () -> tasks.children().isEmpty());
    assertThat(tasks.async(node, _ -> "next").await(SOON)).isEqualTo("next");
  }

  // ---------------------------------------------------------------- restarts

  /** Writes down each start, and ends as it is told. */
  private final BlockingQueue<Pid<?>> starts = new LinkedBlockingQueue<>();

  private final BlockingQueue<Optional<Exception>> ends = new LinkedBlockingQueue<>();

  private void endsAsTold(Self<?> self) throws Exception {
    starts.add(self.pid());
    Optional<Exception> end = ends.take();
    if (end.isPresent()) {
      throw end.get();
    }
  }

  private Pid<?> awaitStart() throws InterruptedException {
    Pid<?> started = starts.poll(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(started).as("a start").isNotNull();
    return started;
  }

  private TaskSupervisor start(Form form, int intensity) {
    return node.start(
            TaskSupervisor.<Object>of(
                TaskSupervisor.Limits.defaults().withIntensity(intensity, Duration.ofHours(1))),
            SOON,
            form.<Object>options())
        .orThrow()
        .value();
  }

  @ParameterizedTest
  @EnumSource
  void permanentTask_isStartedAgainHoweverItEnds(Form form) throws Exception {
    TaskSupervisor tasks = start(form, 3);
    Pid<?> first = tasks.start(node, Restart.PERMANENT, this::endsAsTold);
    assertThat(awaitStart()).isEqualTo(first);
    ends.add(Optional.empty());
    Pid<?> second = awaitStart();
    ends.add(Optional.of(new IllegalStateException("no")));
    Pid<?> third = awaitStart();
    third.kill();
    Pid<?> fourth = awaitStart();
    assertThat(Set.of(first, second, third, fourth)).hasSize(4);
    assertThat(tasks.children()).isEqualTo(List.of(fourth));
  }

  @ParameterizedTest
  @EnumSource
  void transientTask_isStartedAgainUntilItEndsInOrder(Form form) throws Exception {
    TaskSupervisor tasks = start(form, 3);
    for (Optional<Exception> last :
        List.<Optional<Exception>>of(
            Optional.empty(),
            Optional.of(new ExitException(ExitReason.shutdown())),
            Optional.of(new ExitException(new ExitReason.Shutdown("enough"))))) {
      tasks.start(node, Restart.TRANSIENT, this::endsAsTold);
      awaitStart();
      ends.add(Optional.of(new IllegalStateException("no")));
      Pid<?> again = awaitStart();
      ends.add(last);
      awaitEnd(again);
      Await.until("nobody to be left", () -> tasks.children().isEmpty());
    }
    assertThat(starts).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void temporaryTask_isNeverStartedAgain_andNoneThatIsAwaited(Form form) throws Exception {
    TaskSupervisor tasks = start(form, 0);
    Pid<?> unawaited = tasks.start(node, this::endsAsTold);
    awaitStart();
    unawaited.kill();
    assertThat(tasks.asyncUnlinked(node, TaskSupervisorTest::fails).poll(SOON))
        .containsInstanceOf(Outcome.Failed.class);
    Await.until("nobody to be left", () -> tasks.children().isEmpty());
    assertThat(starts).isEmpty();
    assertThat(tasks.pid().isAlive()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void terminatedTask_isNotStartedAgain(Form form) throws Exception {
    TaskSupervisor tasks = start(form, 0);
    Pid<?> task = tasks.start(node, Restart.PERMANENT, this::endsAsTold);
    awaitStart();
    assertThat(tasks.terminate(task)).isTrue();
    awaitEnd(task);
    Await.until("nobody to be left", () -> tasks.children().isEmpty());
    assertThat(starts).isEmpty();
    assertThat(tasks.pid().isAlive()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void tooManyRestarts_endTheSupervisorAndItsTasks_withTheCause(Form form) throws Exception {
    TaskSupervisor tasks = start(form, 2);
    Pid<?> other = tasks.start(node, this::held);
    Probe watcher = Probe.start(Kind.EVENT, node);
    watcher.run(self -> self.monitor(tasks.pid(), Msg.GotDown::new));
    tasks.start(
        node,
        Restart.PERMANENT,
        self -> {
          starts.add(self.pid());
          throw new IllegalStateException("no");
        });
    Await.until("the supervisor to give up", () -> !tasks.pid().isAlive());
    assertThat(starts).as("intensity + 1").hasSize(3);
    awaitEnd(other);
    assertThat(watcher.nextDown().reason())
        .isInstanceOfSatisfying(
            ExitReason.Shutdown.class,
            shutdown ->
                assertThat(shutdown.detail())
                    .isInstanceOfSatisfying(
                        SupervisorEnd.TooManyRestarts.class,
                        tooMany -> {
                          assertThat(tooMany.restarts()).isEqualTo(3);
                          assertThat(tooMany.intensity()).isEqualTo(2);
                          assertThat(tooMany.root()).isInstanceOf(ExitReason.Crash.class);
                        }));
  }

  // ---------------------------------------------------------------- streams

  private static final Tasks.StreamOptions PATIENT =
      Tasks.StreamOptions.defaults().within(SOON, Tasks.OnTimeout.KILL);

  @ParameterizedTest
  @EnumSource
  void stream_runsItsTasksAsChildren_inOrder_noMoreThanTheLimit(Form form) {
    TaskSupervisor tasks = start(form);
    List<Integer> most = new CopyOnWriteArrayList<>();
    Probe owner = Probe.trapping(Kind.EVENT, node);
    List<Integer> squares =
        owner.run(self ->
            tasks.stream(
                    self,
                    List.of(1, 2, 3, 4, 5, 6, 7),
                    (task, i) -> {
                      List<Pid<?>> children = tasks.children();
                      assertThat(children).contains(task.pid());
                      assertThat(Task.callers(task)).startsWith(self.pid());
                      most.add(children.size());
                      return i * i;
                    },
                    PATIENT.atOnce(3))
                .map(each -> each.outcome().orThrow())
                .toList());
    assertThat(squares).containsExactly(1, 4, 9, 16, 25, 36, 49);
    assertThat(most).isNotEmpty().allMatch(n -> n <= 4); // one may have its result already
    owner.assertQuiet();
    Await.until("nobody to be left", () -> node.processes().size() == 2);
  }

  @ParameterizedTest
  @EnumSource
  void unorderedStream_comesAsItIsThere(Form form) {
    TaskSupervisor tasks = start(form);
    try (var all =
        tasks.streamUnlinked(
            node,
            List.of(0, 1, 2, 3),
            (_, i) -> {
              if (i == 0) {
                release.await();
              }
              return i;
            },
            PATIENT.atOnce(2).unordered())) {
      List<Integer> order =
          all.map(Tasks.Element::input)
              .peek(i -> {
                if (i == 3) {
                  release.countDown();
                }
              })
              .toList();
      assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3).endsWith(0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void streamUnlinked_tellsFailuresAndLateOnesAsOutcomes_andHarmsNobody(Form form) {
    TaskSupervisor tasks = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    List<Outcome<Integer>> outcomes =
        owner.run(self ->
            tasks
                .streamUnlinked(
                    self,
                    List.of(1, 0, 2),
                    (_, i) -> {
                      if (i == 2) {
                        release.await();
                      }
                      return 1 / i;
                    },
                    PATIENT.within(Duration.ofMillis(200), Tasks.OnTimeout.KILL))
                .map(Tasks.Element::outcome)
                .toList());
    assertThat(outcomes.get(0)).isEqualTo(new Outcome.Replied<>(1));
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Failed.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.TimedOut.class);
    assertThat(owner.answers()).isTrue();
    Await.until("nobody to be left", () -> tasks.children().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void linkedStream_whoseTaskFails_endsItsOwner_notTheSupervisor(Form form) {
    TaskSupervisor tasks = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    owner.tell(self -> {
      List<?> _ = tasks.stream(self, List.of(1, 0), (_, i) -> 1 / i, PATIENT).toList();
    });
    owner.awaitEnd();
    Await.until("nobody to be left", () -> node.processes().size() == 1);
    assertThat(tasks.children()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void linkedStream_tellsAnOwnerThatTraps_andGoesOn(Form form) {
    TaskSupervisor tasks = start(form);
    Probe owner = Probe.trapping(Kind.EVENT, node);
    List<Outcome<Integer>> outcomes =
        owner.run(self ->
            tasks.stream(self, List.of(1, 0, 1), (_, i) -> 1 / i, PATIENT)
                .map(Tasks.Element::outcome)
                .toList());
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Failed.class);
    assertThat(outcomes.get(2)).isEqualTo(new Outcome.Replied<>(1));
    assertThat(owner.nextExit().reason()).isInstanceOf(ExitReason.Crash.class);
  }

  @ParameterizedTest
  @EnumSource
  void linkedStream_thatKillsALateTask_harmsNobody(Form form) {
    TaskSupervisor tasks = start(form);
    Probe owner = Probe.start(Kind.EVENT, node);
    List<Outcome<String>> outcomes =
        owner.run(self ->
            tasks.stream(
                    self,
                    List.of(1),
                    (task, _) -> held(task),
                    PATIENT.within(Duration.ofMillis(20), Tasks.OnTimeout.KILL))
                .map(Tasks.Element::outcome)
                .toList());
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.TimedOut.class);
    Await.until("nobody to be left", () -> tasks.children().isEmpty());
    assertThat(owner.answers()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void closedStream_endsItsTasks_andSoDoesTheEndOfItsOwner(Form form) {
    TaskSupervisor tasks = start(form);
    Tasks.Step<Integer, Integer> later =
        (task, i) -> {
          if (i > 0) {
            String _ = held(task);
          }
          return i;
        };
    var all = tasks.streamUnlinked(node, List.of(0, 1, 2), later, PATIENT.atOnce(3));
    assertThat(all.iterator().next().input()).isZero();
    all.close();
    Await.until("nobody to be left", () -> node.processes().size() == 1);
    Probe owner = Probe.start(Kind.EVENT, node);
    owner.run(self ->
        tasks.streamUnlinked(self, List.of(0, 1, 2), later, PATIENT.atOnce(3)).iterator().next());
    owner.pid().kill();
    Await.until("nobody to be left", () -> node.processes().size() == 1);
  }

  @ParameterizedTest
  @EnumSource
  void streamOfAFullOrEndedSupervisor_throwsWhereItIsRead_andLeavesNothing(Form form) {
    TaskSupervisor tasks =
        node.start(
                TaskSupervisor.<Object>of(TaskSupervisor.Limits.defaults().withChildren(1)),
                SOON,
                form.<Object>options())
            .orThrow()
            .value();
    assertThatThrownBy(() ->
            tasks
                .streamUnlinked(node, List.of(1, 2), (task, _) -> held(task), PATIENT.atOnce(2))
                .toList())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("as many tasks as it may");
    Await.until("nobody to be left", () -> node.processes().size() == 1);
    tasks.pid().kill();
    awaitEnd(tasks.pid());
    assertThatThrownBy(
            () -> tasks.streamUnlinked(node, List.of(1), (task, _) -> held(task), PATIENT).toList())
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason()).isEqualTo(ExitReason.noProc()));
    Await.until("nobody to be left", () -> node.processes().isEmpty());
  }
}
