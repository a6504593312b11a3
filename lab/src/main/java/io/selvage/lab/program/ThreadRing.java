package io.selvage.lab.program;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * The ring of plain Java threads, virtual or platform, each with a {@link LinkedTransferQueue}: of
 * the JDK's queues the fastest in this program.
 */
public final class ThreadRing {
  private enum Msg {
    TOKEN,
    STOP
  }

  private final int rounds;
  private final CountDownLatch ranAllRounds = new CountDownLatch(1);
  private final CountDownLatch stopped;
  private final LongAdder deliveries = new LongAdder();

  private ThreadRing(int processes, int rounds) {
    this.rounds = rounds;
    this.stopped = new CountDownLatch(processes);
  }

  private void member(TransferQueue<Msg> mailbox, TransferQueue<Msg> next, boolean last) {
    int count = 0;
    while (take(mailbox) == Msg.TOKEN) {
      count++;
      if (last && count == rounds) {
        ranAllRounds.countDown();
      } else {
        next.add(Msg.TOKEN);
      }
    }
    deliveries.add(count);
    if (!last) {
      next.add(Msg.STOP);
    }
    stopped.countDown();
  }

  private static Msg take(TransferQueue<Msg> mailbox) {
    try {
      return mailbox.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a member of the ring", e);
    }
  }

  private static RingMeasurement.Ring run(Thread.Builder threads, int processes, int rounds)
      throws InterruptedException {
    ThreadRing ring = new ThreadRing(processes, rounds);

    long start = System.nanoTime();
    TransferQueue<Msg> first = new LinkedTransferQueue<>();
    TransferQueue<Msg> mailbox = first;
    for (int i = 1; i < processes; i++) {
      TransferQueue<Msg> mine = mailbox;
      TransferQueue<Msg> next = new LinkedTransferQueue<>();
      threads.start(() -> ring.member(mine, next, false));
      mailbox = next;
    }
    TransferQueue<Msg> ofLast = mailbox;
    threads.start(() -> ring.member(ofLast, first, true));
    long ready = System.nanoTime();

    first.add(Msg.TOKEN);
    ring.ranAllRounds.await();
    long end = System.nanoTime();

    first.add(Msg.STOP);
    ring.stopped.await();
    return new RingMeasurement.Ring(ready - start, end - ready, ring.deliveries.sum());
  }

  /**
   * Runs the program.
   *
   * @param args {@code processes=…}, {@code rounds=…}, {@code threads=virtual} or {@code
   *     threads=platform}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Thread.Builder threads = Threads.builder(arguments);
          return RingMeasurement.measure(
              arguments, (processes, rounds) -> run(threads, processes, rounds));
        });
  }
}
