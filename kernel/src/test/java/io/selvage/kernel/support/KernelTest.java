package io.selvage.kernel.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.NodeStats;
import io.selvage.kernel.Pid;
import io.selvage.kernel.spi.KernelEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Gives each test a node of its own, and asserts afterwards that it is in good health: it closes,
 * nothing is left alive, no timer is left set, its threads are gone, and the kernel reported no
 * fault of its own.
 */
public abstract class KernelTest {
  private static final AtomicInteger NODES = new AtomicInteger();
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  protected final Events events = new Events();
  private final List<Node> nodes = new ArrayList<>();
  private final List<ManualClock> clocks = new ArrayList<>();
  private boolean faultsExpected;

  /** The node of the test. */
  protected Node node;

  /** What the test's node is started with. */
  protected NodeOptions options(NodeOptions defaults) {
    return defaults;
  }

  /** Starts the node. */
  @BeforeEach
  protected void startNode() {
    node = start(options(NodeOptions.defaults()));
  }

  /** Starts one more node, whose health is looked at too. */
  protected Node start(NodeOptions options) {
    Node started = Node.start(options.withName("t" + NODES.incrementAndGet()).withEvents(events));
    if (options.clock() instanceof ManualClock clock) {
      clocks.add(clock);
    }
    nodes.add(started);
    return started;
  }

  /** Replaces the test's node by one with other options. */
  protected Node restart(NodeOptions options) {
    node = start(options);
    return node;
  }

  /** For tests that bring the kernel itself into trouble. */
  protected void expectFaults() {
    faultsExpected = true;
  }

  /** The health check. */
  @AfterEach
  protected void closeNodesAndCheckTheirHealth() {
    for (Node each : nodes) {
      assertThat(close(each)).as("processes that did not end").isEmpty();
      NodeStats stats = each.stats();
      assertThat(stats.processes()).as("processes alive after close: %s", stats).isZero();
      assertThat(stats.ended())
          .as("processes ended of all spawned: %s", stats)
          .isEqualTo(stats.spawned());
      assertThat(stats.timers()).as("timers set after close: %s", stats).isZero();
      assertThat(stats.names()).as("names held after close: %s", stats).isZero();
      assertThat(stats.subscriptions()).as("subscriptions after close: %s", stats).isZero();
      awaitThreadsGone(each.name());
    }
    if (!faultsExpected) {
      assertThat(events.of(KernelEvent.KernelFault.class)).isEmpty();
    }
  }

  private List<Pid<?>> close(Node each) {
    CompletableFuture<List<Pid<?>>> closed =
        CompletableFuture.supplyAsync(() -> each.close(CLOSE_LIMIT), Thread::startVirtualThread);
    if (!clocks.isEmpty()) {
      Await.until(
          () -> each.name() + " to close",
          () -> {
            clocks.forEach(clock -> clock.advance(Duration.ofMillis(100)));
            return closed.isDone();
          },
          CLOSE_LIMIT.multipliedBy(2));
    }
    return Await.result(each.name() + " to close", closed, CLOSE_LIMIT.multipliedBy(2));
  }

  /** Waits until no platform thread of a node is left. */
  protected static void awaitThreadsGone(String nodeName) {
    Await.until(
        () -> "threads of " + nodeName + " to end: " + threadsOf(nodeName),
        () -> threadsOf(nodeName).isEmpty(),
        Await.LIMIT);
  }

  /** The platform threads that carry the node's name. */
  protected static List<String> threadsOf(String nodeName) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.matches(".*\\b" + nodeName + "\\b.*"))
        .toList();
  }
}
