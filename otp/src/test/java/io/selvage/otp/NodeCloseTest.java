package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.selvage.kernel.CallException;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What has children ends while its node closes, when nothing can be spawned: quietly, after its
 * children or with them, and nothing is started again.
 */
class NodeCloseTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final int CHILDREN = 5;

  private final List<ExitReason> ends = new CopyOnWriteArrayList<>();
  private final List<SupervisorReport> reports = new CopyOnWriteArrayList<>();
  private final List<StopReport> stopReports = new CopyOnWriteArrayList<>();
  private final AtomicInteger starts = new AtomicInteger();

  /** Tells why it ends; and ends when it is told so. */
  private final class Child implements Server<Long, ExitReason> {
    @Override
    public FirstStep<Long, ExitReason> init(Self<ExitReason> self) {
      self.trapExits(Exit::reason);
      return Next.with(0L);
    }

    @Override
    public Next<Long, ExitReason> onMessage(Self<ExitReason> self, Long state, ExitReason message) {
      throw new ExitException(message);
    }

    @Override
    public void terminate(Self<ExitReason> self, Long state, ExitReason reason) {
      ends.add(reason);
    }
  }

  private StartResult<ExitReason, Pid<ExitReason>> startChild(Spawner spawner, Form form) {
    starts.incrementAndGet();
    return Server.start(spawner, new Child(), form.<ExitReason>options().linked());
  }

  private ChildSpec<ExitReason, Pid<ExitReason>> child(String id, Form form) {
    return ChildSpec.of(id, Server.of(new Child()), form.<ExitReason>options());
  }

  private static void awaitClosing(Node node) {
    Await.until("the node to close", node::isClosing);
  }

  private void closeAndExpectQuiet(Node closed) {
    assertThat(closed.close(SOON)).isEmpty();
    assertThat(events.of(KernelEvent.ProcessCrashed.class)).isEmpty();
    assertThat(reports).allMatch(SupervisorReport.ExitIgnored.class::isInstance); // logged at DEBUG
  }

  /** One of each that has children. */
  private List<Pid<?>> startAll(Node on, Form form) {
    Pool<ExitReason> pool =
        on.start(
                Pool.of(spawner -> startChild(spawner, form), PoolOptions.of(CHILDREN)),
                SOON,
                form.<ExitReason>options())
            .orThrow()
            .value();
    SupervisorSpec spec =
        SupervisorSpec.oneForOne().withIntensity(1, SOON).reportingTo(reports::add);
    for (int i = 0; i < CHILDREN; i++) {
      spec = spec.with(child("c" + i, form));
    }
    Supervisor supervisor = Supervisor.start(on, spec, form.options()).orThrow().value();
    DynamicSupervisor dynamic =
        DynamicSupervisor.start(
                on,
                DynamicSpec.defaults().withIntensity(1, SOON).reportingTo(reports::add),
                form.options())
            .orThrow()
            .value();
    for (int i = 0; i < CHILDREN; i++) {
      dynamic.startChild(child("d", form)).orThrow();
    }
    TaskSupervisor tasks =
        on.start(TaskSupervisor.of(TaskSupervisor.Limits.defaults()), SOON, form.options())
            .orThrow()
            .value();
    for (int i = 0; i < CHILDREN; i++) {
      Pid<?> _ = tasks.start(on, Restart.PERMANENT, _ -> Thread.sleep(SOON));
    }
    Applications applications =
        on.start(
                Applications.<Object>of(
                    Applications.Options.defaults().reportingTo(stopReports::add),
                    Application.of("a", (spawner, _) -> Server.start(spawner, new Child())),
                    Application.of("b", (spawner, _) -> Server.start(spawner, new Child()))
                        .after("a")),
                SOON,
                form.<Object>options())
            .orThrow()
            .value();
    return List.of(pool.pid(), supervisor.pid(), dynamic.pid(), tasks.pid(), applications.pid());
  }

  /** The order in which processes are told is any: so there are rounds, each other suspended. */
  @ParameterizedTest
  @EnumSource
  void allThatHaveChildren_endQuietly_andTheirChildrenInOrder(Form form) {
    for (int i = 1; i <= Rounds.part(100); i++) {
      ends.clear();
      starts.set(0);
      Node closed = start(NodeOptions.defaults());
      List<Pid<?>> all = startAll(closed, form);
      if (i % 2 == 0) {
        all.forEach(each -> Sys.suspend(each, SOON));
      }
      List<ExitReason> reasons = new CopyOnWriteArrayList<>();
      try (Subscription _ =
          closed.subscribe(
              EventFilter.of(KernelEvent.ProcessEnded.class),
              event -> reasons.add(((KernelEvent.ProcessEnded) event).reason()))) {
        closeAndExpectQuiet(closed);
      }
      assertThat(reasons).as("as far as they were told").allMatch(ExitReason.shutdown()::equals);
      assertThat(ends).hasSize(3 * CHILDREN + 2).containsOnly(ExitReason.shutdown());
      assertThat(starts).as("of workers").hasValue(CHILDREN);
      assertThat(stopReports).hasSize(i);
      assertThat(stopReports.getLast().stops())
          .extracting(StopReport.Stop::name, StopReport.Stop::how)
          .containsExactly(
              tuple("b", StopReport.How.IN_ORDER), tuple("a", StopReport.How.IN_ORDER));
    }
  }

  /** The stop waits for the application, although no process can be had to wait for it. */
  @ParameterizedTest
  @EnumSource
  void applications_waitForTheEndOfEach_andReportIt(Form form) {
    CountDownLatch release = new CountDownLatch(1);
    Server<Long, ExitReason> slow =
        new Server<>() {
          @Override
          public FirstStep<Long, ExitReason> init(Self<ExitReason> self) {
            self.trapExits(Exit::reason);
            return Next.with(0L);
          }

          @Override
          public Next<Long, ExitReason> onMessage(
              Self<ExitReason> self, Long state, ExitReason message) {
            throw new ExitException(message);
          }

          @Override
          public void terminate(Self<ExitReason> self, Long state, ExitReason reason)
              throws InterruptedException {
            release.await();
            ends.add(reason);
          }
        };
    Applications _ =
        node.start(
                Applications.<Object>of(
                    Applications.Options.defaults()
                        .reportingTo(report -> {
                          ends.add(ExitReason.normal());
                          stopReports.add(report);
                        }),
                    Application.of(
                        "slow",
                        (spawner, _) -> Server.start(spawner, slow, form.<ExitReason>options()))),
                SOON,
                form.<Object>options())
            .orThrow()
            .value();
    CompletableFuture<List<Pid<?>>> closed =
        CompletableFuture.supplyAsync(() -> node.close(SOON), Thread::startVirtualThread);
    awaitClosing(node);
    assertThat(stopReports).isEmpty();
    release.countDown();
    assertThat(Await.result("close", closed)).isEmpty();
    assertThat(ends).containsExactly(ExitReason.shutdown(), ExitReason.normal());
    assertThat(events.of(KernelEvent.ProcessCrashed.class)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void poolThatGrows_doesNotTryAgain(Form form) {
    CountDownLatch resizing = new CountDownLatch(1);
    Pool<ExitReason> pool =
        node.start(
                Pool.of(
                    spawner -> {
                      if (starts.get() > 0) {
                        resizing.countDown();
                        awaitClosing(node);
                      }
                      return startChild(spawner, form);
                    },
                    PoolOptions.of(1)),
                SOON,
                form.<ExitReason>options())
            .orThrow()
            .value();
    CompletableFuture<Void> resized =
        CompletableFuture.runAsync(() -> pool.resize(3), Thread::startVirtualThread);
    await(resizing);
    closeAndExpectQuiet(node);
    assertThat(starts.get()).as("the first, and one for each that was wanted").isEqualTo(3);
    Await.until("whoever asked to be told", resized::isDone);
  }

  /** A child whose second start waits until the node closes. */
  private ChildSpec<ExitReason, Pid<ExitReason>> childStartedAgainTooLate(
      CountDownLatch restarting) {
    return ChildSpec.startedBy(
        "a",
        (spawner, _) -> {
          if (starts.get() > 0) {
            restarting.countDown();
            while (!node.isClosing()) {
              Thread.onSpinWait(); // the start is to be refused before this is told to end
            }
          }
          return startChild(spawner, Form.EVENT);
        });
  }

  private void closeInTheMiddleOfTheRestart(Pid<?> first, CountDownLatch restarting) {
    first.exit(ExitReason.shutdown());
    await(restarting);
    reports.clear(); // that it ended
    closeAndExpectQuiet(node);
    assertThat(starts).hasValue(2);
  }

  @ParameterizedTest
  @EnumSource
  void supervisorInTheMiddleOfARestart_triesOnce(Form form) {
    CountDownLatch restarting = new CountDownLatch(1);
    Supervisor supervisor =
        Supervisor.start(
                node,
                SupervisorSpec.oneForAll(childStartedAgainTooLate(restarting), child("b", form))
                    .withIntensity(1, SOON)
                    .reportingTo(reports::add),
                form.options())
            .orThrow()
            .value();
    closeInTheMiddleOfTheRestart(
        supervisor.whichChildren().getFirst().pid().orElseThrow(), restarting);
  }

  @ParameterizedTest
  @EnumSource
  void dynamicSupervisorInTheMiddleOfARestart_triesOnce(Form form) {
    CountDownLatch restarting = new CountDownLatch(1);
    DynamicSupervisor supervisor =
        DynamicSupervisor.start(
                node,
                DynamicSpec.defaults().withIntensity(1, SOON).reportingTo(reports::add),
                form.options())
            .orThrow()
            .value();
    closeInTheMiddleOfTheRestart(
        supervisor.startChild(childStartedAgainTooLate(restarting)).orThrow().pid(), restarting);
  }

  /** Holds a behaviour, with what is sent to it, until the node closes. */
  private void holdUntilTheNodeCloses(Pid<?> pid) {
    CountDownLatch held = new CountDownLatch(1);
    Thread _ =
        Thread.startVirtualThread(() -> {
          try {
            Object _ =
                Sys.replaceState(
                    pid,
                    Object.class,
                    state -> {
                      held.countDown();
                      awaitClosing(node);
                      return state;
                    },
                    SOON);
          } catch (RuntimeException noneToReplace) {
            // Nobody waits for it.
          }
        });
    await(held);
  }

  private void awaitWaiting(Pid<?> pid) {
    Await.until("a message to wait", () -> node.info(pid, 0).orElseThrow().mailbox() > 0);
  }

  @ParameterizedTest
  @EnumSource
  void workerThatEnds_isNotReplaced(Form form) {
    ManualClock clock = new ManualClock();
    Node closed = restart(NodeOptions.defaults().withClock(clock));
    AtomicReference<Pid<?>> worker = new AtomicReference<>();
    Pool<ExitReason> pool =
        closed
            .start(
                Pool.of(
                    spawner -> {
                      StartResult<ExitReason, Pid<ExitReason>> result = startChild(spawner, form);
                      worker.set(result.orThrow().pid());
                      return result;
                    },
                    PoolOptions.of(1)),
                SOON,
                form.<ExitReason>options())
            .orThrow()
            .value();
    clock.advance(SOON); // so old a worker is replaced at once
    holdUntilTheNodeCloses(pool.pid());
    worker.get().kill();
    awaitWaiting(pool.pid());
    closeAndExpectQuiet(closed);
    assertThat(starts).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource
  void taskThatIsToBeStarted_failsWithTheEndOfItsSupervisor(Form form) {
    TaskSupervisor tasks =
        node.start(TaskSupervisor.of(TaskSupervisor.Limits.defaults()), SOON, form.options())
            .orThrow()
            .value();
    holdUntilTheNodeCloses(tasks.pid());
    CompletableFuture<Pid<?>> started =
        CompletableFuture.supplyAsync(
            () -> tasks.start(node, Restart.TEMPORARY, _ -> Thread.sleep(SOON)),
            Thread::startVirtualThread);
    awaitWaiting(tasks.pid());
    closeAndExpectQuiet(node);
    assertThat(started)
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            CallException.class,
            told -> assertThat(told.reason()).isEqualTo(ExitReason.shutdown()));
  }

  /** A server that traps exits must see that the node closes. */
  @ParameterizedTest
  @EnumSource
  void suspendedServer_terminates(Form form) {
    Pid<ExitReason> server =
        Server.start(node, new Child(), form.<ExitReason>options()).orThrow().pid();
    Sys.suspend(server, SOON);
    closeAndExpectQuiet(node);
    assertThat(ends).containsExactly(ExitReason.shutdown());
  }

  private static void await(CountDownLatch latch) {
    Await.until("it to begin", () -> latch.getCount() == 0);
  }
}
