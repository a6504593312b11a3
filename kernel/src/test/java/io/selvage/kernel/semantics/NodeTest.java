package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.selvage.kernel.CallException;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.NodeStats;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Step;
import io.selvage.kernel.support.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A node's start and close, and what it counts. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class NodeTest extends KernelTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  @Test
  void start_withDefaults_hasNothingAndRunsProcesses() {
    try (Node fresh = Node.start()) {
      assertThat(fresh.stats())
          .isEqualTo(new NodeStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
      assertThat(Probe.start(kind, fresh).answers()).isTrue();
    }
  }

  @Test
  void stats_countWhatHappened() {
    Probe normal = Probe.start(kind, node);
    Probe shutDown = Probe.start(kind, node);
    Probe crashing = Probe.start(kind, node);
    Probe staying = Probe.start(kind, node);
    assertThat(node.stats())
        .isEqualTo(new NodeStats(4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    normal.tell(self -> self.pid().exit(ExitReason.normal()));
    shutDown.pid().exit(ExitReason.shutdown());
    crashing.pid().exit(Reasons.DIE);
    Await.until("three ends", () -> node.stats().processes() == 1);
    assertThat(node.stats())
        .isEqualTo(new NodeStats(1, 4, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    staying.act(self -> self.sendAfter(Duration.ofDays(1), new Msg.Say("late")));
    assertThat(node.stats().timers()).isEqualTo(1);
    crashing.say("nobody hears this");
    assertThat(node.stats().undelivered()).isEqualTo(1);
    assertThat(node.stats().unread()).isZero();
  }

  @Test
  void stats_countWhatWasLeftUnreadAndWhoWatches() {
    Probe probe = Probe.start(kind, node);
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(1);
    probe.tell(_ -> {
      began.countDown();
      latch.await();
    });
    probe.say("not taken in time");
    Await.until("the handler", () -> began.getCount() == 0);
    node.register(Name.of("probe"), probe.pid());
    Subscription events = node.subscribe(EventFilter.of(KernelEvent.ProcessSpawned.class), _ -> {});
    TraceSession trace = node.trace(TraceOptions.defaults(), _ -> {});
    assertThat(node.stats())
        .isEqualTo(new NodeStats(1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0));
    events.close();
    trace.close();
    probe.pid().kill();
    latch.countDown();
    probe.awaitEnd();
    Await.until("the unread message", () -> node.stats().unread() == 1);
    assertThat(node.stats())
        .isEqualTo(new NodeStats(0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void crash_isReportedOnceWithItsReason_orderlyEndAndEndBySignalAreNot() {
    Probe.start(kind, node).tell(self -> self.pid().exit(ExitReason.normal()));
    Probe.start(kind, node)
        .tell(_ -> {
          throw new ExitException(new ExitReason.Shutdown("detail"));
        });
    Probe.start(kind, node).pid().exit(Reasons.DIE);
    Probe.start(kind, node).pid().kill();
    Probe labelled =
        Probe.start(kind, node, SpawnOptions.<Msg>defaults().labelled("the labelled one"));
    Probe plain = Probe.start(kind, node);
    labelled.tell(_ -> {
      throw new ExitException(Reasons.DIE);
    });
    plain.tell(_ -> {
      throw new ExitException(ExitReason.killed());
    });
    Await.until("all to end", () -> node.stats().processes() == 0);
    Await.until("reports", () -> events.of(KernelEvent.ProcessCrashed.class).size() >= 2);
    assertThat(events.of(KernelEvent.ProcessCrashed.class))
        .extracting(
            KernelEvent.ProcessCrashed::pid,
            crashed -> crashed.report().label(),
            KernelEvent.ProcessCrashed::reason,
            KernelEvent.ProcessCrashed::unread)
        .containsExactlyInAnyOrder(
            tuple(labelled.pid(), "the labelled one", Reasons.DIE, 0L),
            tuple(plain.pid(), null, ExitReason.killed(), 0L));
  }

  @Test
  void close_endsEveryProcessAndStopsTheThreads() {
    for (int i = 0; i < 100; i++) {
      Pid<Msg> _ = kind.<Msg>spawn(node, (_, _) -> {});
    }
    Probe blocked = Probe.start(kind, node);
    CountDownLatch about = new CountDownLatch(1);
    blocked.tell(_ -> {
      about.countDown();
      new CountDownLatch(1).await();
    });
    Await.until("the blocked one to be about to", () -> about.getCount() == 0);
    assertThat(node.close(SOON)).isEmpty();
    assertThat(node.stats().processes()).isZero();
    assertThat(node.stats().ended()).isEqualTo(101);
    assertThat(blocked.pid().isAlive()).isFalse();
    awaitThreadsGone(node.name());
  }

  @Test
  void close_tellsTrappingProcessShutdownAndLetsItFinish() {
    List<Exit> got = new ArrayList<>();
    Pid<Exit> pid =
        kind.spawn(
            node,
            (_, exit) -> {
              got.add(exit);
              throw new ExitException(ExitReason.normal());
            },
            SpawnOptions.<Exit>defaults().trappingExits(exit -> exit));
    assertThat(node.close(SOON)).isEmpty();
    assertThat(got.getFirst()).isEqualTo(new Exit(null, ExitReason.shutdown()));
    assertThat(pid.isAlive()).isFalse();
  }

  @Test
  void isClosing_fromTheCallOfClose_forEver() {
    AtomicReference<Boolean> meanwhile = new AtomicReference<>();
    Pid<Exit> pid =
        kind.spawn(
            node,
            (self, _) -> {
              meanwhile.set(self.node().isClosing());
              throw new ExitException(ExitReason.normal());
            },
            SpawnOptions.<Exit>defaults().trappingExits(exit -> exit));
    assertThat(node.isClosing()).isFalse();
    assertThat(node.close(SOON)).isEmpty();
    assertThat(pid.isAlive()).isFalse();
    assertThat(meanwhile).hasValue(true);
    assertThat(node.isClosing()).isTrue();
  }

  @Test
  void close_atHalfOfItsTime_killsWhoTrapsAndGoesOn() {
    AtomicInteger told = new AtomicInteger();
    Pid<Exit> pid =
        kind.spawn(
            node,
            (_, _) -> told.incrementAndGet(),
            SpawnOptions.<Exit>defaults().trappingExits(exit -> exit));
    long before = System.nanoTime();
    assertThat(node.close(Duration.ofSeconds(1))).isEmpty();
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    assertThat(pid.isAlive()).isFalse();
    assertThat(told).hasValue(1);
    assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(500));
  }

  @Test
  void close_withProcessThatIgnoresInterrupts_answersItAtItsDeadline() {
    Node brief = Node.start(options(NodeOptions.defaults()).withEvents(events));
    CountDownLatch about = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Probe stubborn = Probe.start(kind, brief);
    Probe obedient = Probe.start(kind, brief);
    stubborn.tell(_ -> {
      about.countDown();
      boolean released = false;
      while (!released) {
        try {
          release.await();
          released = true;
        } catch (InterruptedException _) {
          Thread.onSpinWait();
        }
      }
    });
    Await.until("the stubborn one to be about to", () -> about.getCount() == 0);
    try {
      List<Pid<?>> left = brief.close(Duration.ofMillis(300));
      assertThat(left).hasSize(1).allMatch(stubborn.pid()::equals);
      assertThat(obedient.pid().isAlive()).isFalse();
      assertThatIllegalStateException().isThrownBy(() -> Probe.start(kind, brief));
    } finally {
      release.countDown();
    }
    if (kind
        != Kind.DIRECT_ON_WORKERS) { // there it could only go on with the workers, which are gone
      Await.until("the stubborn one to end", () -> brief.stats().processes() == 0);
    }
  }

  @Test
  void closeWithoutTimeout_withProcessThatIgnoresInterrupts_reportsIt() {
    Node brief =
        Node.start(
            options(NodeOptions.defaults())
                .withCloseTimeout(Duration.ofMillis(200))
                .withEvents(events));
    CountDownLatch about = new CountDownLatch(1);
    AtomicReference<Boolean> release = new AtomicReference<>(false);
    Probe stubborn = Probe.start(kind, brief);
    stubborn.tell(_ -> {
      about.countDown();
      while (!release.get()) {
        Thread.onSpinWait();
      }
    });
    Await.until("the stubborn one to be about to", () -> about.getCount() == 0);
    try {
      brief.close();
      assertThat(events.of(KernelEvent.CloseIncomplete.class))
          .containsExactly(new KernelEvent.CloseIncomplete(List.of(stubborn.pid())));
    } finally {
      release.set(true);
    }
    Await.until("the stubborn one to end", () -> brief.stats().processes() == 0);
  }

  @Test
  void close_twiceAndFromManyThreads_waitsForTheFirst() {
    Probe _ = Probe.trapping(kind, node);
    List<CompletableFuture<List<Pid<?>>>> closings = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      closings.add(
          CompletableFuture.supplyAsync(() -> node.close(SOON), Thread::startVirtualThread));
    }
    for (var closing : closings) {
      assertThat(Await.result("a close", closing)).isEmpty();
      assertThat(node.stats().processes()).isZero();
    }
    node.close();
    assertThat(node.close(Duration.ZERO)).isEmpty();
  }

  @Test
  void close_fromProcess_doesNotWaitForItself() {
    Probe closing = Probe.start(kind, node);
    Probe other = Probe.start(kind, node);
    CountDownLatch returned = new CountDownLatch(1);
    closing.tell(self -> {
      self.node().close();
      returned.countDown();
    });
    other.awaitEnd();
    closing.awaitEnd();
    node.close();
    assertThat(node.stats().processes()).isZero();
  }

  @Test
  void closedNode_refusesToSpawnAndDropsTheRest() {
    Name<Msg> name = Name.of("gone");
    Probe probe = Probe.start(kind, node, SpawnOptions.<Msg>defaults().named(name));
    node.close();
    assertThatIllegalStateException().isThrownBy(() -> Probe.start(kind, node));
    assertThat(node.stats().spawned()).isEqualTo(1);
    assertThat(node.whereis(name)).isEmpty();
    long before = node.stats().undelivered();
    probe.say("too late");
    assertThat(node.stats().undelivered()).isEqualTo(before + 1);
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> probe.ask("?", SOON))
        .extracting(CallException::reason)
        .isEqualTo(ExitReason.noProc());
    probe.pid().kill();
  }

  @Test
  void idleNode_closesAtOnce() {
    node.close();
    assertThat(node.stats())
        .isEqualTo(new NodeStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void close_againstSpawnFromThreads_everySpawnedProcessEnds() {
    for (int round = 0; round < 30; round++) {
      Node racing = start(options(NodeOptions.defaults()));
      AtomicInteger spawned = new AtomicInteger();
      List<CompletableFuture<Void>> spawners = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        spawners.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    while (true) {
                      Pid<Msg> _ = kind.<Msg>spawn(racing, (_, _) -> {});
                      spawned.incrementAndGet();
                      if (kind == Kind.DIRECT_ON_PLATFORM_THREAD) {
                        LockSupport.parkNanos(1_000); // they are dear
                      }
                    }
                  } catch (IllegalStateException _) {
                    // closing
                  }
                },
                Thread::startVirtualThread));
      }
      int enough = round;
      Await.until("some processes", () -> spawned.get() >= enough);
      assertThat(racing.close(SOON)).isEmpty();
      spawners.forEach(s -> Await.result("a spawner", s.thenApply(_ -> true)));
      NodeStats stats = racing.stats();
      assertThat(stats.processes()).isZero();
      assertThat(stats.spawned()).isGreaterThanOrEqualTo(spawned.get());
      assertThat(stats.ended()).isEqualTo(stats.spawned());
    }
  }

  @Test
  void close_againstSpawnFromProcesses_everySpawnedProcessEnds() {
    for (int round = 0; round < 30; round++) {
      Node racing = start(options(NodeOptions.defaults()));
      AtomicInteger spawned = new AtomicInteger();
      // Each spawns one more for each message, which trap exits or do not, and goes on.
      Step<Msg> spawning =
          new Story<>() {
            @Override
            public void start(Self<Msg> self) {
              self.pid().send(new Msg.Say("go"));
            }

            @Override
            public void on(Self<Msg> self, Msg message) {
              Probe child =
                  Probe.start(
                      kind,
                      self,
                      spawned.incrementAndGet() % 2 == 0
                          ? SpawnOptions.<Msg>defaults().linked()
                          : SpawnOptions.<Msg>defaults().trappingExits(Msg.GotExit::new));
              child.say("hello");
              self.pid().send(message);
            }
          };
      for (int i = 0; i < 3; i++) {
        Pid<Msg> _ = kind.spawn(racing, spawning);
      }
      int enough = round;
      Await.until("some processes", () -> spawned.get() >= enough);
      assertThat(racing.close(SOON)).isEmpty();
      NodeStats stats = racing.stats();
      assertThat(stats.processes()).isZero();
      assertThat(stats.ended()).isEqualTo(stats.spawned());
    }
  }

  @Test
  void nodes_ofOneJvm_shareNothing() {
    Node second = start(options(NodeOptions.defaults()));
    Name<Msg> name = Name.of("same");
    Probe here = Probe.start(kind, node, SpawnOptions.<Msg>defaults().named(name));
    Probe there = Probe.start(kind, second, SpawnOptions.<Msg>defaults().named(name));
    assertThat(node.whereis(name)).contains(here.pid());
    assertThat(second.whereis(name)).contains(there.pid());
    here.act(_ -> there.say("from another node"));
    assertThat(there.nextSaid()).isEqualTo("from another node");
    node.close();
    assertThat(there.answers()).isTrue();
    here.say("too late");
    assertThat(second.stats().undelivered()).isZero();
  }
}
