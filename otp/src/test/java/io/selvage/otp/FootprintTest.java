package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What an idle server takes of the heap, with its place in the process table, what stands in its
 * parent, and whatever its start has left behind.
 */
class FootprintTest extends KernelTest {
  /** So many that what the JVM does meanwhile is small beside them. */
  private static final int SERVERS = 90_000;

  private static final long MOST_BYTES = 200;
  private static final int COLLECTIONS = 5;

  private record Idle() implements Server<Boolean, String> {
    @Override
    public Next<Boolean, String> init(Self<String> self) {
      return Next.with(true);
    }

    @Override
    public Next<Boolean, String> onMessage(Self<String> self, Boolean state, String message) {
      return Next.same();
    }
  }

  private static void start(Spawner spawner, SpawnOptions<String> options, int servers) {
    for (int i = 0; i < servers; i++) {
      Server.start(spawner, new Idle(), options).orThrow();
    }
  }

  /** The least of several collections: what has just ended is let go of a little later. */
  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @Test
  void serverStartedFromOutside_isSmall() {
    start(node, SpawnOptions.defaults(), 1000);
    long before = heap();
    start(node, SpawnOptions.defaults(), SERVERS);
    assertThat((heap() - before) / SERVERS).isLessThanOrEqualTo(MOST_BYTES);
  }

  @Test
  void serverLinkedToItsParent_isSmall() {
    CompletableFuture<Boolean> started = new CompletableFuture<>();
    Pid<Integer> parent =
        node.spawn((Self<Integer> self, Integer servers) -> {
          start(self, SpawnOptions.<String>defaults().linked(), servers);
          boolean _ = servers == SERVERS && started.complete(true);
          return Behavior.same();
        });
    parent.send(1000);
    long before = heap();
    parent.send(SERVERS);
    assertThat(Await.result("the servers", started, Duration.ofMinutes(1))).isTrue();
    assertThat((heap() - before) / SERVERS).isLessThanOrEqualTo(MOST_BYTES);
  }
}
