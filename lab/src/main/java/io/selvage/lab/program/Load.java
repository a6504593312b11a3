package io.selvage.lab.program;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What the producers and the consumer of the overload programs do, beside sending and receiving,
 * and the account of it.
 *
 * <p>A message is counted as produced before it is sent, and as taken when the consumer has it.
 * When the time is over the producers end, and the consumer only counts what was left. So what is
 * in no account is seen: all that was produced must have come to the consumer in the end.
 */
final class Load {
  /** Counters of different threads are as many numbers apart, so that no two share a cache line. */
  private static final int APART = 16;

  /** Adding up all counters costs as many cache misses as there are producers: not each time. */
  private static final int MESSAGES_BETWEEN_LOOKS = 16;

  private final long workNanos;
  private final int producers;
  private final AtomicLongArray produced;
  private final CountDownLatch producing;
  private volatile boolean over;

  // Written by the consumer alone, one thread at a time; the last is read by others.
  private long consumed;
  private long queued;
  private long longestQueue;
  private final AtomicLong taken = new AtomicLong();

  Load(int producers, long workNanos) {
    this.producers = producers;
    this.workNanos = workNanos;
    this.produced = new AtomicLongArray((producers + 1) * APART);
    this.producing = new CountDownLatch(producers);
  }

  /** Works, by the clock. */
  static void work(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  // ---------------------------------------------------------------- the producers

  /**
   * The next message of a producer, which it must send.
   *
   * @param producer its number
   * @return the message; negative if the time is over: then the producer ends, and says so
   */
  long next(int producer) {
    if (over) {
      return -1;
    }
    int own = (producer + 1) * APART;
    long number = produced.getPlain(own);
    produced.setRelease(own, number + 1);
    return number;
  }

  /** A producer sends no more. */
  void ended() {
    producing.countDown();
  }

  // ---------------------------------------------------------------- the consumer

  /** The consumer has taken a message: it works on it, or counts it if the time is over. */
  void take() {
    long number = taken.getPlain();
    if (number % MESSAGES_BETWEEN_LOOKS == 0) {
      longestQueue = Math.max(longestQueue, produced() - number);
    }
    if (over) {
      queued++;
    } else {
      work(workNanos);
      consumed++;
    }
    taken.setRelease(number + 1); // whoever reads it sees the other figures
  }

  // ---------------------------------------------------------------- the main program

  private long produced() {
    long sum = 0;
    for (int producer = 0; producer < producers; producer++) {
      sum += produced.getAcquire((producer + 1) * APART);
    }
    return sum;
  }

  /** The time is over. */
  void stop() {
    over = true;
  }

  /** Waits until all producers have ended. */
  boolean awaitProducers(long seconds) throws InterruptedException {
    return producing.await(seconds, TimeUnit.SECONDS);
  }

  /** How many messages the consumer has taken. */
  long taken() {
    return taken.getAcquire();
  }

  /** The account, when the consumer takes nothing any more. */
  Account account() {
    taken(); // pairs with the consumer's last writing
    return new Account(produced(), consumed, queued, longestQueue);
  }

  /**
   * What became of all messages.
   *
   * @param produced how many were sent
   * @param consumed how many the consumer worked on
   * @param queued how many were left when the time was over
   * @param longestQueue the most that had been sent and not taken
   */
  record Account(long produced, long consumed, long queued, long longestQueue) {}
}
