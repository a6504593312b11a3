package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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

  @Test
  void moreThanTheLimit_areRefused() {
    TaskSupervisor tasks =
        TaskSupervisor.start(node, TaskSupervisor.Limits.defaults().withChildren(1))
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
}
