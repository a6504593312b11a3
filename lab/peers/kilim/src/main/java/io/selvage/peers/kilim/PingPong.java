package io.selvage.peers.kilim;

import kilim.Mailbox;
import kilim.Pausable;
import kilim.Task;

/** Two tasks that send a counter to and fro. */
final class PingPong {
  private static final int STOP = -1;

  private PingPong() {}

  private static final class Ponger extends Task<Void> {
    private final Mailbox<Integer> pings;
    private final Mailbox<Integer> pongs;
    private final Mailbox<Long> result;

    Ponger(Mailbox<Integer> pings, Mailbox<Integer> pongs, Mailbox<Long> result) {
      this.pings = pings;
      this.pongs = pongs;
      this.result = result;
    }

    @Override
    public void execute() throws Pausable {
      long count = 0;
      int ping = pings.get();
      while (ping != STOP) {
        count++;
        pongs.put(ping);
        ping = pings.get();
      }
      result.put(count);
    }
  }

  private static final class Pinger extends Task<Void> {
    private final Mailbox<Integer> pings;
    private final Mailbox<Integer> pongs;
    private final Mailbox<Long> result;
    private final int rounds;

    Pinger(Mailbox<Integer> pings, Mailbox<Integer> pongs, Mailbox<Long> result, int rounds) {
      this.pings = pings;
      this.pongs = pongs;
      this.result = result;
      this.rounds = rounds;
    }

    @Override
    public void execute() throws Pausable {
      long count = 0;
      for (int i = 0; i < rounds; i++) {
        pings.put(i);
        int pong = pongs.get();
        if (pong == i) {
          count++;
        }
      }
      pings.put(STOP);
      result.put(count);
    }
  }

  static long run(int rounds) {
    Mailbox<Integer> pings = new Mailbox<>();
    Mailbox<Integer> pongs = new Mailbox<>();
    Mailbox<Long> result = new Mailbox<>();
    new Ponger(pings, pongs, result).start();
    new Pinger(pings, pongs, result, rounds).start();
    return result.getb() + result.getb();
  }
}
