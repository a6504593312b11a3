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

/** A node in which a thousand direct processes compute for ever. */
class SpinTest extends KernelTest {
  private static final int SPINNERS = 1000;

  /** Kinds by what direct processes run on. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"DIRECT", "DIRECT_ON_WORKERS"})
  void thousandSpinners_leaveTheNodeUsable(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe before = Probe.start(kind, node);
    before.barrier();
    AtomicBoolean stop = new AtomicBoolean();
    Body<Msg> spinner =
        _ -> {
          while (!stop.get()) {
            Thread.onSpinWait();
          }
        };
    try {
      for (int i = 0; i < SPINNERS; i++) {
        node.spawn(spinner);
      }
      Probe event = Probe.start(Kind.EVENT, node);
      assertThat(event.answers()).isTrue();
      event.act(self -> self.sendAfter(Duration.ofMillis(1), new Msg.Say("the timer")));
      assertThat(event.next()).isEqualTo(new Msg.Say("the timer"));
      assertThat(Probe.start(Kind.DIRECT_ON_PLATFORM_THREAD, node).answers()).isTrue();
      if (kind == Kind.DIRECT_ON_WORKERS) {
        assertThat(before.answers()).isTrue();
        assertThat(Probe.start(kind, node).answers()).isTrue();
      }
      Await.until(
          "the report of a spinner",
          () ->
              events.of(KernelEvent.LongBody.class).stream()
                  .anyMatch(told -> told.body().contains("SpinTest")));
      assertThat(node.stats().processes()).isGreaterThan(SPINNERS);
    } finally {
      stop.set(true);
    }
  }
}
