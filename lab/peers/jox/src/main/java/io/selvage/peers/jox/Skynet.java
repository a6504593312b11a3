package io.selvage.peers.jox;

import com.softwaremill.jox.Channel;

/** A tree of virtual threads; each sends its parent its number or the sum of its children. */
final class Skynet {
  private static final int CHILDREN = 10;

  private Skynet() {}

  private static void node(Channel<Long> parent, long number, int leaves) {
    try {
      if (leaves == 1) {
        parent.send(number);
        return;
      }
      Channel<Long> parts = Channel.newBufferedDefaultChannel();
      int each = leaves / CHILDREN;
      for (int i = 0; i < CHILDREN; i++) {
        long first = number + (long) i * each;
        Thread.startVirtualThread(() -> node(parts, first, each));
      }
      long sum = 0;
      for (int i = 0; i < CHILDREN; i++) {
        sum += parts.receive();
      }
      parent.send(sum);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a node of the tree", e);
    }
  }

  static long sum(int leaves) throws InterruptedException {
    Channel<Long> result = Channel.newBufferedDefaultChannel();
    Thread.startVirtualThread(() -> node(result, 0, leaves));
    return result.receive();
  }
}
