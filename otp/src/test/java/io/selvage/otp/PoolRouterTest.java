package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Pid;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sticky pool remembers. */
class PoolRouterTest extends KernelTest {
  /** As {@link PoolOptions.Routing.Sticky} says. */
  private static final int KNOWN = 10_000;

  private PoolSlot<Msg> slot(int index) {
    PoolSlot<Msg> slot = new PoolSlot<>(index);
    Pid<Msg> worker = Probe.start(Kind.EVENT, node).pid();
    slot.started(worker, 0);
    return slot;
  }

  @Test
  void sticky_forgetsTheKeyThatWasAskedForLongestAgo_andNoOther() {
    PoolRouter<Msg> router = new PoolRouter<>(new PoolOptions.Routing.Sticky<>(m -> m), node);
    PoolSlot<Msg> first = slot(0);
    PoolSlot<Msg> second = slot(1);
    second.ending = true; // all keys go to the first
    List<PoolSlot<Msg>> slots = List.of(first, second);
    for (int key = 0; key < KNOWN; key++) {
      assertThat(router.slotOf(key, slots)).isSameAs(first);
    }
    first.ending = true;
    second.ending = false; // all keys that are not known go to the second
    assertThat(router.slotOf(0, slots)).isSameAs(first);
    assertThat(router.slotOf("one more", slots)).isSameAs(second);
    assertThat(router.slotOf(0, slots)).as("asked for meanwhile").isSameAs(first);
    assertThat(router.slotOf(2, slots)).as("not the oldest").isSameAs(first);
    assertThat(router.slotOf(1, slots)).as("the oldest").isSameAs(second);
  }
}
