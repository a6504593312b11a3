package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Supervisors under load: case 96, and trees killed in the middle of their shutdown. */
class SupervisorStormTest extends KernelTest {
  private static final ChildTraits TEMPORARY =
      ChildTraits.of("temporary").restarting(Restart.TEMPORARY);

  /** A server that holds what it was started with, and takes a moment to end. */
  private record Holder(String argument, long slow) implements Server<Long, String> {
    @Override
    public FirstStep<Long, String> init(Self<String> self) {
      return Next.with((long) argument.length());
    }

    @Override
    public Next<Long, String> onMessage(Self<String> self, Long state, String message) {
      return message.equals("end") ? Next.stop(state, ExitReason.normal()) : Next.same();
    }

    @Override
    public void terminate(Self<String> self, Long state, ExitReason reason) {
      LockSupport.parkNanos(slow);
    }
  }

  private static ChildSpec<String, Pid<String>> holder(int bytes, SpawnOptions<String> options) {
    return ChildSpec.of(TEMPORARY, Server.of(new Holder("x".repeat(bytes), 0)), options);
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /**
   * An event process that waits for the start of another gives its worker's queue away meanwhile,
   * which costs more than the start: so the most are direct ones, whose supervisor is one, too.
   */
  @ParameterizedTest
  @CsvSource({"EVENT, 1", "VIRTUAL_THREAD, 10"})
  void manyTemporaryChildrenWithArguments_leaveTheHeapFlat(Form form, int times) {
    int most = times * Rounds.RACES;
    DynamicSupervisor supervisor =
        DynamicSupervisor.start(node, DynamicSpec.defaults(), form.options()).orThrow().value();
    SpawnOptions<String> options = form.options();
    startAndEnd(supervisor, options, most / 100); // what is made once is there before
    long before = heap();
    startAndEnd(supervisor, options, most);
    assertThat(heap() - before).isLessThan(8_000_000);
  }

  /** Starts children: every tenth is stopped, the others end by themselves, and all are gone. */
  private static void startAndEnd(
      DynamicSupervisor supervisor, SpawnOptions<String> options, int children) {
    for (int i = 0; i < children; i++) {
      Pid<String> child = supervisor.startChild(holder(1000, options)).orThrow().pid();
      if (i % 10 == 0) {
        supervisor.stopChild(child).orThrow();
      } else {
        child.send("end");
      }
    }
    Await.until("all to have ended", () -> supervisor.countChildren().specs() == 0);
  }

  /**
   * Attempts are made one after the other, so they never take more than one core, however many
   * there are; and the supervisor serves calls in between.
   */
  @ParameterizedTest
  @EnumSource
  void childThatFailsInInitForEver_isTriedOneAtATime_andEndsAtExactlyIntensityPlusOne(Form form) {
    int most = Rounds.RACES / 5;
    AtomicInteger now = new AtomicInteger();
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger attempts = new AtomicInteger();
    Supervisor supervisor =
        Supervisor.start(
                node,
                SupervisorSpec.oneForOne(
                        ChildSpec.of(
                            "a",
                            Init.<String, Boolean>behavior((self, ack) -> {
                              atOnce.accumulateAndGet(now.incrementAndGet(), Math::max);
                              try {
                                if (attempts.getAndIncrement() > 0) {
                                  throw ack.fail(new ExitReason.Shutdown("no"));
                                }
                              } finally {
                                now.decrementAndGet();
                              }
                              ack.ready(true);
                              return (_, _) -> Behavior.stop();
                            }),
                            form.options()))
                    .withIntensity(most, Duration.ofHours(1)),
                form.options())
            .orThrow()
            .value();
    Fate fate = Fate.of(node, supervisor.pid());
    supervisor.whichChildren().getFirst().pid().orElseThrow().kill();
    int served = 0;
    try {
      while (true) {
        served += supervisor.countChildren().specs();
      }
    } catch (CallException end) {
      assertThat(served).isPositive();
    }
    assertThat(fate.reason())
        .isInstanceOfSatisfying(
            ExitReason.Shutdown.class,
            shutdown ->
                assertThat(shutdown.detail())
                    .isInstanceOfSatisfying(
                        SupervisorEnd.TooManyRestarts.class,
                        end -> assertThat(end.restarts()).isEqualTo(most + 1)));
    assertThat(attempts.get()).as("the start, and a restart for each allowed").isEqualTo(most + 1);
    assertThat(atOnce.get()).isEqualTo(1);
  }

  @Test
  void manyChildrenAtOnce_areStartedAndStopped() {
    int most = Rounds.RACES;
    DynamicSupervisor supervisor =
        DynamicSupervisor.start(node, DynamicSpec.defaults()).orThrow().value();
    for (int i = 0; i < most; i++) {
      supervisor.startChild(holder(0, SpawnOptions.defaults())).orThrow();
    }
    assertThat(supervisor.countChildren()).isEqualTo(new ChildCounts(most, most, 0, most));
    Sys.stop(supervisor.pid(), ExitReason.shutdown(), Duration.ofMinutes(1));
    assertThat(node.processes()).isEmpty();
  }

  /** Why a child of a race ends. */
  private record Broken() implements ExitReason.UserReason {}

  /** The child may have ended when the supervisor begins to watch it, and not have told it yet. */
  @ParameterizedTest
  @EnumSource
  void childThatEndsWhileItIsStopped_isReportedOnce_withItsOwnReason(Form form) {
    List<ExitReason> reasons = new CopyOnWriteArrayList<>();
    Consumer<SupervisorReport> listener =
        report -> {
          if (report instanceof SupervisorReport.ChildEnded ended) {
            reasons.add(ended.reason());
          }
        };
    DynamicSupervisor dynamic =
        DynamicSupervisor.start(node, DynamicSpec.defaults().reportingTo(listener), form.options())
            .orThrow()
            .value();
    Supervisor supervisor =
        Supervisor.start(node, SupervisorSpec.oneForOne().reportingTo(listener), form.options())
            .orThrow()
            .value();
    ChildSpec<String, Pid<String>> spec = holder(0, form.options());
    int rounds = Rounds.part(50);
    for (int i = 0; i < rounds; i++) {
      Pid<String> child = dynamic.startChild(spec).orThrow().pid();
      child.exit(new Broken());
      dynamic.stopChild(child).orThrow();
      supervisor.startChild(spec).orThrow().pid().exit(new Broken());
      StopChildResult _ = supervisor.stopChild("temporary"); // it may be gone
    }
    Await.until("all ends to be reported", () -> reasons.size() == 2 * rounds);
    assertThat(reasons).containsOnly(new Broken());
  }

  /** A tree of some levels, with a worker and a child supervisor at each. */
  private static Init<SupervisorMessage, Supervisor> tree(int depth, Form form) {
    SupervisorSpec spec = SupervisorSpec.oneForOne(slow("w1", form));
    if (depth > 0) {
      spec = spec.with(ChildSpec.supervisor("deeper", tree(depth - 1, form)));
    }
    return Supervisor.of(spec.with(slow("w2", form)));
  }

  private static ChildSpec<String, Pid<String>> slow(String id, Form form) {
    return ChildSpec.of(
        id,
        Server.of(new Holder("", 20_000)),
        form.<String>options().trappingExits(exit -> "exit " + exit.reason()));
  }

  @ParameterizedTest
  @EnumSource
  void treeKilledFromAboveInTheMiddleOfItsShutdown_leavesNoOrphan(Form form) {
    long seed = Long.getLong("selvage.test.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < Rounds.part(100); i++) {
      Pid<SupervisorMessage> top =
          node.start(tree(4, form), Duration.ofSeconds(10)).orThrow().pid();
      List<Pid<?>> all = new ArrayList<>(node.processes());
      assertThat(all).hasSize(15);
      top.exit(ExitReason.shutdown());
      LockSupport.parkNanos(random.nextInt(2_000_000));
      top.kill();
      Await.until(
          "all to end, in round " + i + " of -Dselvage.test.seed=" + seed,
          () -> all.stream().noneMatch(Pid::isAlive));
    }
    Await.until("nobody to be left", () -> node.processes().isEmpty());
  }

  @Test
  void deepTree_isStoppedWithoutRecursion() {
    Pid<SupervisorMessage> top =
        node.start(tree(200, Form.EVENT), Duration.ofSeconds(60)).orThrow().pid();
    assertThat(node.processes()).hasSize(3 * 200 + 3);
    assertThat(Supervisor.at(top).stop(Duration.ofSeconds(60)).isClean()).isTrue();
    assertThat(node.processes()).isEmpty();
  }
}
