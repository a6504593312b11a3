package io.selvage.peers.kilim;

import kilim.Mailbox;
import kilim.Pausable;
import kilim.Task;

/** A tree of tasks; each puts into its parent's mailbox its number or the sum of its children. */
final class Skynet extends Task<Void> {
  private static final int CHILDREN = 10;

  private final Mailbox<Long> parent;
  private final long number;
  private final int leaves;

  private Skynet(Mailbox<Long> parent, long number, int leaves) {
    this.parent = parent;
    this.number = number;
    this.leaves = leaves;
  }

  @Override
  public void execute() throws Pausable {
    if (leaves == 1) {
      parent.put(number);
      return;
    }
    Mailbox<Long> parts = new Mailbox<>();
    int each = leaves / CHILDREN;
    for (int i = 0; i < CHILDREN; i++) {
      new Skynet(parts, number + (long) i * each, each).start();
    }
    long sum = 0;
    for (int i = 0; i < CHILDREN; i++) {
      sum += parts.get();
    }
    parent.put(sum);
  }

  static long sum(int leaves) {
    Mailbox<Long> result = new Mailbox<>();
    new Skynet(result, 0, leaves).start();
    return result.getb();
  }
}
