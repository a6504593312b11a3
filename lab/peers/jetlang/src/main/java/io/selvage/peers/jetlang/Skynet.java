package io.selvage.peers.jetlang;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.channels.Publisher;
import org.jetlang.fibers.Fiber;

/** A tree of fibers; each publishes to its parent's channel its number or its children's sum. */
final class Skynet {
  private static final int CHILDREN = 10;

  private final Fiber fiber = Fibers.started();
  private final Publisher<Long> parent;
  private long sum;
  private int missing = CHILDREN;

  private Skynet(Publisher<Long> parent) {
    this.parent = parent;
  }

  /** Starts a node, which does all of its work on its own fiber. */
  private static void start(Publisher<Long> parent, long number, int leaves) {
    Skynet node = new Skynet(parent);
    node.fiber.execute(() -> node.run(number, leaves));
  }

  private void run(long number, int leaves) {
    if (leaves == 1) {
      report(number);
      return;
    }
    Channel<Long> parts = new MemoryChannel<>();
    parts.subscribe(fiber, this::onPart);
    int each = leaves / CHILDREN;
    for (int i = 0; i < CHILDREN; i++) {
      start(parts, number + (long) i * each, each);
    }
  }

  private void onPart(long part) {
    sum += part;
    missing--;
    if (missing == 0) {
      report(sum);
    }
  }

  private void report(long value) {
    parent.publish(value);
    fiber.dispose();
  }

  static long sum(int leaves) throws InterruptedException, ExecutionException {
    CompletableFuture<Long> result = new CompletableFuture<>();
    Fiber root = Fibers.started();
    Channel<Long> all = new MemoryChannel<>();
    all.subscribe(root, result::complete);
    start(all, 0, leaves);
    long sum = result.get();
    root.dispose();
    return sum;
  }
}
