package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Body;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node in which direct processes compute for ever: a thousand on the JDK's scheduler. On the
 * workers fewer, because what comes later waits until a worker has been lent to each before it,
 * which takes the longer the more of them share the processors.
 */
class SpinTest extends KernelTest {
  private static final int ON_CARRIERS = 1000;
  private static final int ON_WORKERS = 50;

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "DIRECT_ON_WORKERS"})
  void manySpinners_leaveTheNodeUsable(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    boolean onWorkers = kind == Kind.DIRECT_ON_WORKERS;
    int spinners = onWorkers ? ON_WORKERS : ON_CARRIERS;
    AtomicBoolean stop = new AtomicBoolean();
    Body<Msg> spinner =
        _ -> {
          while (!stop.get()) {
            Thread.onSpinWait();
          }
        };
    try {
      for (int i = 0; i < spinners; i++) {
        node.spawn(spinner);
      }
      Probe event = Probe.start(Kind.EVENT, node);
      assertThat(event.answers()).isTrue();
      event.act(self -> self.sendAfter(Duration.ofMillis(1), new Msg.Say("the timer")));
      assertThat(event.next()).isEqualTo(new Msg.Say("the timer"));
      assertThat(Probe.start(Kind.DIRECT_ON_PLATFORM_THREAD, node).answers()).isTrue();
      if (onWorkers) {
        assertThat(Probe.start(kind, node).answers()).isTrue();
      } else {
        Await.until(
            "the report of a spinner",
            () ->
                events.of(KernelEvent.LongBody.class).stream()
                    .anyMatch(told -> told.body().contains("SpinTest")));
      }
      assertThat(node.stats().processes()).isGreaterThan(spinners);
    } finally {
      stop.set(true);
    }
  }
}
