package io.selvage.peers.kilim;

import io.selvage.peers.Arrivals;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import kilim.Mailbox;
import kilim.Pausable;
import kilim.Task;

/** Tasks that each wait for a message in a mailbox of their own. */
final class Spawn implements Programs.Crowd {
  private static final Integer STOP = 0;

  private final Mailbox<Integer>[] mailboxes;
  private final Arrivals arrivals;
  private final Tally ended = new Tally();

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of mailboxes cannot be made otherwise
  private Spawn(int processes, Arrivals arrivals) {
    this.mailboxes = new Mailbox[processes];
    this.arrivals = arrivals;
  }

  static Programs.Crowd open(int processes, String kind, Arrivals arrivals) {
    return new Spawn(processes, arrivals);
  }

  private static final class Process extends Task<Void> {
    private final Mailbox<Integer> mailbox;
    private final Arrivals arrivals;
    private final Tally ended;

    Process(Mailbox<Integer> mailbox, Arrivals arrivals, Tally ended) {
      this.mailbox = mailbox;
      this.arrivals = arrivals;
      this.ended = ended;
    }

    @Override
    public void execute() throws Pausable {
      arrivals.arrive();
      mailbox.get();
      ended.increment();
    }
  }

  @Override
  public void create() {
    for (int i = 0; i < mailboxes.length; i++) {
      mailboxes[i] = new Mailbox<>();
      new Process(mailboxes[i], arrivals, ended).start();
    }
    arrivals.await(mailboxes.length);
  }

  @Override
  public long end() {
    for (int i = 0; i < mailboxes.length; i++) {
      mailboxes[i].putb(STOP);
      mailboxes[i] = null;
    }
    return ended.await(mailboxes.length);
  }
}
