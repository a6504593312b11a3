package io.selvage.peers.jox;

import com.softwaremill.jox.Channel;
import io.selvage.peers.Arrivals;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;

/** Virtual threads that each wait for a message in a channel of their own. */
final class Spawn implements Programs.Crowd {
  private enum Msg {
    STOP
  }

  private final Channel<Msg>[] mailboxes;
  private final Thread[] threads;
  private final Arrivals arrivals;
  private final Tally ended = new Tally();

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of channels cannot be made otherwise
  private Spawn(int processes, Arrivals arrivals) {
    this.mailboxes = new Channel[processes];
    this.threads = new Thread[processes];
    this.arrivals = arrivals;
  }

  static Programs.Crowd open(int processes, String kind, Arrivals arrivals) {
    return new Spawn(processes, arrivals);
  }

  private void waitForStop(Channel<Msg> mailbox) {
    arrivals.arrive();
    try {
      mailbox.receive();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a process under test", e);
    }
    ended.increment();
  }

  @Override
  public void create() {
    for (int i = 0; i < threads.length; i++) {
      Channel<Msg> mailbox = Channel.newBufferedDefaultChannel();
      mailboxes[i] = mailbox;
      threads[i] = Thread.startVirtualThread(() -> waitForStop(mailbox));
    }
    arrivals.await(threads.length);
  }

  @Override
  public long end() throws InterruptedException {
    for (int i = 0; i < threads.length; i++) {
      mailboxes[i].send(Msg.STOP);
      mailboxes[i] = null;
    }
    for (int i = 0; i < threads.length; i++) {
      threads[i].join();
      threads[i] = null;
    }
    return ended.await(threads.length);
  }
}
