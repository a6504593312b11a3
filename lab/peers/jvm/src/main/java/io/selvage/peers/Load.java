package io.selvage.peers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What the producers and the consumer of an overload do, beside sending and receiving, and the
 * account of it. A message is counted as produced before it is sent, and as taken when the consumer
 * has it; when the time is over the producers end, and the consumer only counts what was left.
 */
public final class Load {
  /** How many messages a producer sends at once, where it must not keep a thread to itself. */
  public static final int AT_ONCE = 100;

  /** Counters of different threads are as many numbers apart, so that no two share a cache line. */
  private static final int APART = 16;

  private static final int MESSAGES_BETWEEN_LOOKS = 16;

  private final int producers;
  private final long workNanos;
  private final AtomicLongArray produced;
  private final CountDownLatch producing;
  private volatile boolean over;

  // The consumer's, one thread at a time; the last is read by others.
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

  static void work(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  /**
   * The next message of a producer, which it must send.
   *
   * @param producer its number, from 0
   * @return the message; negative if the time is over: then it calls {@link #ended}
   */
  public long next(int producer) {
    if (over) {
      return -1;
    }
    int own = (producer + 1) * APART;
    long number = produced.getPlain(own);
    produced.setRelease(own, number + 1);
    return number;
  }

  /** To be called by each producer that sends no more, once. */
  public void ended() {
    producing.countDown();
  }

  /** To be called by the consumer for each message: it works on it, or counts what was left. */
  public void take() {
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

  void stop() {
    over = true;
  }

  boolean awaitProducers(long seconds) throws InterruptedException {
    return producing.await(seconds, TimeUnit.SECONDS);
  }

  long produced() {
    long sum = 0;
    for (int producer = 0; producer < producers; producer++) {
      sum += produced.getAcquire((producer + 1) * APART);
    }
    return sum;
  }

  /** How many messages the consumer has taken. Whoever calls it sees what else it has counted. */
  long taken() {
    return taken.getAcquire();
  }

  long consumed() {
    return consumed;
  }

  long queued() {
    return queued;
  }

  long longestQueue() {
    return longestQueue;
  }
}
