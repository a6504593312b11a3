package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Children whose start takes longer than it may. */
class ChildStartLimitTest extends KernelTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final List<String> told = new CopyOnWriteArrayList<>();

  /** How many of the next starts never end. */
  private final AtomicInteger hanging = new AtomicInteger();

  private final class Slow implements Server<String, String> {
    @Override
    public FirstStep<String, String> init(Self<String> self) throws Exception {
      told.add("try");
      if (hanging.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        new CountDownLatch(1).await();
      }
      return Next.with("");
    }

    @Override
    public Next<String, String> onMessage(Self<String> self, String state, String message) {
      throw new IllegalStateException(message);
    }
  }

  private ChildSpec<String, Pid<String>> slow(Form form) {
    return ChildSpec.of("slow", Server.of(new Slow()), form.<String>options())
        .startingWithin(SHORT);
  }

  @ParameterizedTest
  @EnumSource
  void firstStart_fails_andStopsThoseBefore(Form form) {
    hanging.set(1);
    StartResult<SupervisorMessage, Supervisor> result =
        Supervisor.start(
            node, SupervisorSpec.oneForOne(Worker.spec("a", told), slow(form)), form.options());
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class,
            ended -> assertThat(ended.reason().toString()).contains("slow"));
    assertThat(told).containsExactly("start a", "try", "stop a shutdown");
    Await.until("nobody to be left", () -> node.processes().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void laterStart_isAFailure_andLeavesNoProcess(Form form) {
    Supervisor supervisor =
        Supervisor.start(node, SupervisorSpec.oneForOne(), form.options()).orThrow().value();
    hanging.set(1);
    assertThat(supervisor.startChild(slow(form))).isInstanceOf(StartChildResult.Failed.class);
    assertThat(supervisor.whichChildren()).isEmpty();
    Await.until("the supervisor alone to be left", () -> node.processes().size() == 1);
    supervisor.startChild(slow(form)).orThrow();
  }

  @ParameterizedTest
  @EnumSource
  void restart_isTriedAgain_andEachAttemptCounts(Form form) {
    Supervisor supervisor =
        Supervisor.start(
                node,
                SupervisorSpec.oneForOne(slow(form)).withIntensity(3, Duration.ofHours(1)),
                form.options())
            .orThrow()
            .value();
    @SuppressWarnings("unchecked")
    Pid<String> child = (Pid<String>) supervisor.whichChildren().getFirst().pid().orElseThrow();
    told.clear();
    hanging.set(2);
    child.send("fail");
    Await.until("three attempts", () -> told.size() == 3);
    Await.until("it to run", () -> supervisor.countChildren().active() == 1);
    supervisor.whichChildren().getFirst().pid().orElseThrow().exit(ExitReason.kill());
    Await.until("the supervisor to give up", () -> !supervisor.pid().isAlive());
    assertThat(told).hasSize(3);
  }
}
