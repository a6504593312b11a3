package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.Alias;
import io.selvage.kernel.Baseline;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.Counter;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Marks;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ProcessInfo.State;
import io.selvage.kernel.ProcessInfo.Wait;
import io.selvage.kernel.Ranked;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Timer;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be seen of processes from outside. Source: {@code erlang:process_info/1}, recon. */
class InspectionTest extends KernelTest {

  private ProcessInfo info(Pid<?> pid) {
    return node.info(pid).orElseThrow();
  }

  private void awaitState(Pid<?> pid, State state) {
    Await.until(
        () -> state + ", not " + node.info(pid),
        () -> node.info(pid).filter(i -> i.state() == state).isPresent(),
        Await.LIMIT);
  }

  @ParameterizedTest
  @EnumSource
  void info_ofWaitingProcess_tellsWhatItIsAndHas(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Name<Msg> name = Name.of("seen");
    Probe probe =
        Probe.start(
            kind,
            node,
            SpawnOptions.<Msg>defaults()
                .named(name)
                .labelled("a label")
                .trappingExits(Msg.GotExit::new)
                .withMarks(Marks.at(7)));
    Probe other = Probe.start(kind, node);
    probe.act(self -> {
      self.link(other.pid());
      self.monitor(other.pid(), Msg.GotDown::new);
      self.monitor(other.pid(), Msg.GotDown::new);
      self.sendAfter(Duration.ofHours(1), new Msg.Say(1));
      self.sendAfter(Duration.ofHours(1), new Msg.Say(2)).cancel();
      self.sendAfter(Duration.ofHours(1), new Msg.Say(3));
      Alias<Msg> _ = self.alias();
    });
    other.act(self -> self.monitor(probe.pid(), Msg.GotDown::new));
    other.barrier();
    probe.barrier();
    awaitState(probe.pid(), State.WAITING);

    ProcessInfo info = info(probe.pid());

    assertThat(info.pid()).isSameAs(probe.pid());
    assertThat(info.kind())
        .isEqualTo(
            switch (kind) {
              case EVENT -> ProcessInfo.Kind.EVENT;
              case DIRECT_ON_PLATFORM_THREAD -> ProcessInfo.Kind.DIRECT_ON_PLATFORM_THREAD;
              case DIRECT, DIRECT_ON_WORKERS, EVENT_ON_VIRTUAL_THREAD -> ProcessInfo.Kind.DIRECT;
            });
    assertThat(info.waitsFor()).isEqualTo(new Wait.ForMessage(false));
    assertThat(info.name()).isEqualTo("seen");
    assertThat(info.label()).isEqualTo("a label");
    assertThat(info.ancestors()).isEmpty();
    assertThat(info.initialCall()).contains("Kind");
    assertThat(info.trapsExits()).isTrue();
    assertThat(info.mailbox()).isZero();
    assertThat(info.marks()).isEqualTo(Marks.at(7));
    assertThat(info.handled()).isEqualTo(3); // two jobs and the signal of the other's monitor
    assertThat(info.links()).isEqualTo(new ProcessInfo.Sample<>(1, List.of(other.pid())));
    assertThat(info.monitors().count()).isEqualTo(2);
    assertThat(info.monitors().some()).isEqualTo(List.of(other.pid(), other.pid()));
    assertThat(info.monitoredBy()).isEqualTo(new ProcessInfo.Sample<>(1, List.of(other.pid())));
    assertThat(info.timers()).isEqualTo(2);
    assertThat(info.aliases()).isEqualTo(1);
    assertThat(info.owned()).isEqualTo(1); // the name
    assertThat(info.subscriptions()).isZero();
    assertThat(info.memory()).isPositive();
    ProcessInfo seen = info(other.pid());
    assertThat(seen.links().some()).isEqualTo(List.of(probe.pid()));
    assertThat(seen.monitoredBy().count()).isEqualTo(2);
    assertThat(seen.name()).isNull();
  }

  @Test
  void info_ofEndedProcess_isEmpty() {
    Probe probe = Probe.start(Kind.EVENT, node);
    probe.pid().kill();
    probe.awaitEnd();
    assertThat(node.info(probe.pid())).isEmpty();
    assertThat(node.stack(probe.pid())).isEmpty();
    Await.until("the table to forget it", () -> node.processes().isEmpty());
  }

  @Test
  void info_ofForeignOrNegative_isRefused() {
    Node other = start(NodeOptions.defaults());
    Pid<Object> foreign = other.spawn((_, _) -> Behavior.same());
    assertThatThrownBy(() -> node.info(foreign)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> node.stack(foreign)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> other.info(foreign, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> node.top(Counter.MAILBOX, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> node.top(Counter.MAILBOX, Node.MOST_RANKED + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void info_ofBlockedSpinningAndCalling_saysSo(Kind kind) {
    restart(kind.configure(NodeOptions.defaults().withWorkers(4)));
    CountDownLatch latch = new CountDownLatch(1);
    AtomicBoolean stop = new AtomicBoolean();
    Probe blocked = Probe.start(kind, node);
    blocked.tell(_ -> latch.await());
    awaitState(blocked.pid(), State.BLOCKED);
    assertThat(info(blocked.pid()).waitsFor()).isNull();
    assertThat(node.stack(blocked.pid()))
        .anyMatch(frame -> frame.getMethodName().contains("await"));

    Probe caller = Probe.start(kind, node);
    caller.tell(_ -> blocked.ask("nobody answers", Duration.ofHours(1)));
    awaitState(caller.pid(), State.CALLING);
    assertThat(info(caller.pid()).waitsFor()).isEqualTo(new Wait.ForReply(blocked.pid()));

    Probe spinning = Probe.start(kind, node);
    CountDownLatch spins = new CountDownLatch(1);
    spinning.tell(_ -> {
      spins.countDown();
      while (!stop.get()) {
        Thread.onSpinWait();
      }
    });
    Await.until(
        "the spinning", () -> spins.getCount() == 0); // a new direct process is RUNNING, too
    awaitState(spinning.pid(), State.RUNNING);
    spinning.say("waits");
    assertThat(info(spinning.pid()).mailbox()).isEqualTo(1);
    stop.set(true);
    latch.countDown();
    caller.pid().kill();
  }

  @Test
  void info_ofTimedReceive_saysTimed() {
    Body<Object> body = self -> self.receive(Duration.ofHours(1));
    Pid<Object> pid = node.spawn(body);
    Await.until(
        "a timed wait",
        () ->
            node.info(pid).filter(i -> new Wait.ForMessage(true).equals(i.waitsFor())).isPresent());
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EVENT"})
  void info_ofFullMailboxAndManyLinks_isQuickAndBounded(Kind kind) {
    node.marks(Marks.off()); // the mailbox shall grow long
    CountDownLatch latch = new CountDownLatch(1);
    Probe full = Probe.start(kind, node);
    full.act(self -> {
      for (int i = 0; i < 20_000; i++) {
        Pid<Object> _ = self.spawnLink((_, _) -> Behavior.same());
      }
    });
    full.tell(_ -> latch.await());
    for (int i = 0; i < 1_000_000; i++) {
      full.say(i);
    }
    long slowest = 0;
    ProcessInfo info = info(full.pid());
    for (int i = 0; i < 20; i++) {
      long begin = System.nanoTime();
      info = info(full.pid());
      slowest = Math.max(slowest, System.nanoTime() - begin);
    }
    assertThat(info.mailbox()).isBetween(1_000_000L, 1_000_001L);
    assertThat(info.links().count()).isEqualTo(20_000);
    assertThat(info.links().some()).hasSize(100);
    assertThat(node.info(full.pid(), 0).orElseThrow().links().some()).isEmpty();
    assertThat(node.top(Counter.MAILBOX, 3).getFirst())
        .isEqualTo(new Ranked(full.pid(), info.mailbox()));
    assertThat(node.top(Counter.LINKS, 1).getFirst()).isEqualTo(new Ranked(full.pid(), 20_000));
    assertThat(Duration.ofNanos(slowest))
        .isLessThan(Duration.ofSeconds(1)); // measured: microseconds
    full.pid().kill();
    latch.countDown();
  }

  @Test
  void info_whileItChanges_neverFails() {
    AtomicBoolean stop = new AtomicBoolean();
    Body<Msg> changing =
        self -> {
          while (!stop.get()) {
            change(self);
          }
        };
    Pid<Msg> pid = node.spawn(changing);
    for (int i = 0; i < 2_000; i++) {
      ProcessInfo info = info(pid);
      assertThat(info.links().some()).hasSizeLessThanOrEqualTo(100);
      assertThat(info.timers()).isBetween(0L, 3L);
      assertThat(node.processes()).contains(pid);
    }
    stop.set(true);
  }

  private static void change(DirectSelf<Msg> self) {
    List<Pid<Object>> children = new ArrayList<>();
    List<Timer> timers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Pid<Object> child = self.spawnLink((_, _) -> Behavior.same());
      children.add(child);
      self.monitor(child, Msg.GotDown::new);
      timers.add(self.sendAfter(Duration.ofHours(1), new Msg.Say(i)));
    }
    for (Timer timer : timers) {
      timer.cancel();
    }
    for (Pid<Object> child : children) {
      self.unlink(child);
      child.kill();
    }
    for (int i = 0; i < 3; i++) {
      Msg _ = self.receive();
    }
  }

  @Test
  void handled_countsOnBothKindsOverManyWaits() {
    for (Kind kind : List.of(Kind.EVENT, Kind.DIRECT)) {
      Probe probe = Probe.start(kind, node);
      for (int i = 0; i < 1_000; i++) {
        probe.say(i);
      }
      probe.barrier();
      awaitState(probe.pid(), State.WAITING);
      assertThat(info(probe.pid()).handled()).as("%s", kind).isEqualTo(1_001);
    }
  }

  @Test
  void baseline_ranksByGrowthAndNewcomersFromZero() {
    Probe old = Probe.start(Kind.EVENT, node);
    for (int i = 0; i < 500; i++) {
      old.say(i);
    }
    old.barrier();
    awaitState(old.pid(), State.WAITING);
    Baseline baseline = node.baseline(Counter.HANDLED);
    Probe young = Probe.start(Kind.DIRECT, node);
    for (int i = 0; i < 20; i++) {
      young.say(i);
      if (i < 5) {
        old.say(i);
      }
    }
    old.barrier();
    young.barrier();
    awaitState(old.pid(), State.WAITING);
    awaitState(young.pid(), State.WAITING);
    assertThat(baseline.top(10))
        .containsExactly(new Ranked(young.pid(), 21), new Ranked(old.pid(), 6));
    assertThat(baseline.top(1)).containsExactly(new Ranked(young.pid(), 21));
    assertThat(baseline.age()).isPositive();
  }

  @Test
  void top_byEachCounter_findsTheGreatest() {
    Probe probe = Probe.start(Kind.EVENT, node);
    Probe idle = Probe.start(Kind.EVENT, node);
    probe.act(self -> {
      self.link(idle.pid());
      self.monitor(idle.pid(), Msg.GotDown::new);
      self.sendAfter(Duration.ofHours(1), new Msg.Say(1));
    });
    idle.barrier();
    assertThat(node.top(Counter.TIMERS, 5)).containsExactly(new Ranked(probe.pid(), 1));
    assertThat(node.top(Counter.MONITORS, 5)).containsExactly(new Ranked(probe.pid(), 1));
    assertThat(node.top(Counter.MONITORED_BY, 5)).containsExactly(new Ranked(idle.pid(), 1));
    assertThat(node.top(Counter.MEMORY, 1).getFirst().pid()).isEqualTo(probe.pid());
    assertThat(node.top(Counter.HANDLED, 5)).hasSize(2);
  }
}
