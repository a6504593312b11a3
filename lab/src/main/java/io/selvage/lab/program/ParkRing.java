package io.selvage.lab.program;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** The ring of virtual threads, each with a hand-written {@link ParkMailbox}. */
public final class ParkRing {
  private enum Msg {
    TOKEN,
    STOP
  }

  private final int rounds;
  private final CountDownLatch ranAllRounds = new CountDownLatch(1);
  private final CountDownLatch stopped;
  private final LongAdder deliveries = new LongAdder();

  private ParkRing(int processes, int rounds) {
    this.rounds = rounds;
    this.stopped = new CountDownLatch(processes);
  }

  private void member(ParkMailbox<Msg> mailbox, ParkMailbox<Msg> next, boolean last) {
    int count = 0;
    while (mailbox.receive() == Msg.TOKEN) {
      count++;
      if (last && count == rounds) {
        ranAllRounds.countDown();
      } else {
        next.send(Msg.TOKEN);
      }
    }
    deliveries.add(count);
    if (!last) {
      next.send(Msg.STOP);
    }
    stopped.countDown();
  }

  private static RingMeasurement.Ring run(int processes, int rounds) throws InterruptedException {
    ParkRing ring = new ParkRing(processes, rounds);

    long start = System.nanoTime();
    ParkMailbox<Msg> first = new ParkMailbox<>();
    ParkMailbox<Msg> mailbox = first;
    for (int i = 1; i < processes; i++) {
      ParkMailbox<Msg> mine = mailbox;
      ParkMailbox<Msg> next = new ParkMailbox<>();
      Thread.ofVirtual().start(() -> ring.member(mine, next, false));
      mailbox = next;
    }
    ParkMailbox<Msg> ofLast = mailbox;
    Thread.ofVirtual().start(() -> ring.member(ofLast, first, true));
    long ready = System.nanoTime();

    first.send(Msg.TOKEN);
    ring.ranAllRounds.await();
    long end = System.nanoTime();

    first.send(Msg.STOP);
    ring.stopped.await();
    return new RingMeasurement.Ring(ready - start, end - ready, ring.deliveries.sum());
  }

  /**
   * Runs the program.
   *
   * @param args {@code processes=…}, {@code rounds=…}
   */
  public static void main(String[] args) {
    Report.print(args, arguments -> RingMeasurement.measure(arguments, ParkRing::run));
  }
}
