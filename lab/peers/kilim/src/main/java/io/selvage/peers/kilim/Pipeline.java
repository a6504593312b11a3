package io.selvage.peers.kilim;

import io.selvage.peers.Rewrites;
import kilim.Mailbox;
import kilim.Pausable;
import kilim.Task;

/** A manager and three stages, which are tasks. */
final class Pipeline {
  /** Told by its identity from an item with the same text. */
  private static final String LAST = new String("last");

  private Pipeline() {}

  private static final class Stage extends Task<Void> {
    private final int stage;
    private final Mailbox<String> from;
    private final Mailbox<String> to;

    Stage(int stage, Mailbox<String> from, Mailbox<String> to) {
      this.stage = stage;
      this.from = from;
      this.to = to;
    }

    @Override
    public void execute() throws Pausable {
      String item = from.get();
      while (item != LAST) {
        to.put(Rewrites.rewrite(stage, item));
        item = from.get();
      }
      to.put(LAST);
    }
  }

  private static final class LastStage extends Task<Void> {
    private final Mailbox<String> from;
    private final Mailbox<Integer> result;

    LastStage(Mailbox<String> from, Mailbox<Integer> result) {
      this.from = from;
      this.result = result;
    }

    @Override
    public void execute() throws Pausable {
      Rewrites.Written written = new Rewrites.Written();
      String item = from.get();
      while (item != LAST) {
        written.add(Rewrites.rewrite(Rewrites.STAGES - 1, item));
        item = from.get();
      }
      result.put(written.items());
    }
  }

  static int run(int items) {
    Mailbox<String> requested = new Mailbox<>();
    Mailbox<String> downloaded = new Mailbox<>();
    Mailbox<String> indexed = new Mailbox<>();
    Mailbox<Integer> result = new Mailbox<>();
    new Stage(0, requested, downloaded).start();
    new Stage(1, downloaded, indexed).start();
    new LastStage(indexed, result).start();
    for (int i = 0; i < items; i++) {
      requested.putb(Rewrites.request(i));
    }
    requested.putb(LAST);
    return result.getb();
  }
}
