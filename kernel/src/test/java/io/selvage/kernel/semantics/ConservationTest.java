package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitException;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.NodeStats;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Step;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chaos, and then the books: each message was handled, or counted as undelivered. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class ConservationTest extends KernelTest {
  private static final int PROCESSES = 64;
  private static final int STEPS = 200_000;

  @Parameter Pair pair;

  private final LongAdder sent = new LongAdder();
  private final LongAdder handled = new LongAdder();
  private final LongAdder spawned = new LongAdder();
  private final AtomicReferenceArray<Pid<Integer>> pids = new AtomicReferenceArray<>(PROCESSES);

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  /**
   * A process that does something at random for each message, as long as the message has life left.
   */
  private final class Chaotic implements Step<Integer> {
    private final SplittableRandom random;
    private final int place;

    Chaotic(int place, long seed) {
      this.place = place;
      random = new SplittableRandom(seed);
    }

    @Override
    public void on(Self<Integer> self, Integer life) {
      handled.increment();
      if (life == 0) {
        return;
      }
      int choice = random.nextInt(1_000);
      Pid<Integer> other = pids.get(random.nextInt(PROCESSES));
      if (choice < 900) {
        send(other, life - 1);
      } else if (choice < 940) {
        send(other, life - 1);
        self.link(other); // throws if it has ended, which ends this one
      } else if (choice < 970) {
        send(other, life - 1);
        self.unlink(other);
      } else if (choice < 985) {
        replace(self);
        send(pids.get(place), life - 1);
        throw new ExitException(Reasons.DIE);
      } else if (choice < 995) {
        send(other, life - 1);
        other.exit(Reasons.DIE);
      } else {
        send(other, life - 1);
        other.kill();
      }
    }

    private void replace(Self<Integer> self) {
      pids.set(place, start(self, place, random.nextLong()));
    }
  }

  private void send(Pid<Integer> to, int life) {
    sent.increment(); // before, since the sender may be ended at the call
    boolean done = false;
    try {
      to.send(life);
      done = true;
    } finally {
      if (!done) {
        sent.decrement();
      }
    }
  }

  private Pid<Integer> start(io.selvage.kernel.Spawner spawner, int place, long seed) {
    spawned.increment(); // before, since the spawner may be ended at the call
    boolean done = false;
    try {
      Kind kind = place % 2 == 0 ? pair.one() : pair.other();
      Pid<Integer> pid = kind.spawn(spawner, new Chaotic(place, seed));
      done = true;
      return pid;
    } finally {
      if (!done) {
        spawned.decrement();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messages_inChaos_areHandledOrCounted(boolean closeInTheMiddle) {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < PROCESSES; i++) {
      pids.set(i, start(node, i, random.nextLong()));
    }
    for (int i = 0; i < STEPS / 100; i++) {
      int place = random.nextInt(PROCESSES);
      Pid<Integer> pid = pids.get(place);
      if (!pid.isAlive()) {
        pid = start(node, place, random.nextLong());
        pids.set(place, pid);
      }
      send(pid, random.nextInt(200));
    }
    if (!closeInTheMiddle) {
      Await.until(
          () -> "all to be handled or counted: " + books(),
          () -> handled.sum() + node.stats().undelivered() == sent.sum(),
          Duration.ofSeconds(30));
    }
    assertThat(node.close(Duration.ofSeconds(10))).isEmpty();
    assertThat(handled.sum() + node.stats().undelivered()).as(this::books).isEqualTo(sent.sum());
    NodeStats stats = node.stats();
    assertThat(stats.spawned()).isEqualTo(spawned.sum());
    assertThat(stats.ended()).isEqualTo(stats.spawned());
    assertThat(sent.sum()).isGreaterThanOrEqualTo(STEPS / 100);
  }

  private String books() {
    return "sent " + sent + ", handled " + handled + ", " + node.stats();
  }

  @Test
  void messages_toProcessesThatAreKilledMeanwhile_areHandledOrCounted() {
    for (int round = 0; round < 300; round++) {
      Pid<Integer> victim = pair.other().spawn(node, (_, _) -> handled.increment());
      Pid<Integer> sender =
          pair.one()
              .spawn(
                  node,
                  (_, count) -> {
                    for (int i = 0; i < count; i++) {
                      send(victim, i);
                    }
                  });
      sender.send(500);
      for (int i = 0; i < 100; i++) {
        send(victim, i);
        if (i == 50) {
          victim.kill();
        }
      }
    }
    Await.until(
        () -> "all to be handled or counted: " + books(),
        () -> sent.sum() == 300L * 600 && handled.sum() + node.stats().undelivered() == sent.sum(),
        Duration.ofSeconds(30));
  }
}
