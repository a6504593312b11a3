package io.selvage.lab.program;

import java.util.concurrent.TimeUnit;

/** Holds the watch for the overload programs. */
final class OverloadMeasurement {
  /** The work alone is measured at the end, when all is compiled, several times. */
  private static final int TRIES_ALONE = 5;

  private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** What is left must come within this time; nothing is worked on any more. */
  private static final long LIMIT_SECONDS = 60;

  /** So long nothing more may come when all has come. */
  private static final long AFTERWARDS_MILLIS = 50;

  private OverloadMeasurement() {}

  /** Starts a consumer and as many producers as are asked for. */
  @FunctionalInterface
  interface OverloadProgram {
    /**
     * Returns when all have been started.
     *
     * @param load what they do
     * @param producers how many producers there are, with the numbers from 0 on
     */
    void start(Load load, int producers) throws Exception;
  }

  static Report measure(Arguments arguments, OverloadProgram program) throws Exception {
    int producers = arguments.count("producers");
    long nanos = TimeUnit.SECONDS.toNanos(arguments.count("seconds"));
    long workNanos = TimeUnit.MICROSECONDS.toNanos(arguments.count("work"));
    Load load = new Load(producers, workNanos);

    long start = System.nanoTime();
    program.start(load, producers);
    TimeUnit.NANOSECONDS.sleep(nanos - (System.nanoTime() - start));
    load.stop();
    double seconds = (System.nanoTime() - start) / 1e9;

    Load.Account account = settle(load);
    double alone = alone(workNanos);
    double together = account.consumed() / seconds;
    return new Report()
        .with("consumed_percent", 100 * together / alone)
        .with("longest_queue", account.longestQueue())
        .with("produced", account.produced())
        .with("consumed", account.consumed())
        .with("refused", 0) // no runtime of this lab does
        .with("still_queued", account.queued())
        .with("consumed_per_second", together)
        .with("alone_per_second", alone)
        .withPeakMemory();
  }

  /** Waits until the consumer has everything; what does not come is told by the account. */
  private static Load.Account settle(Load load) throws InterruptedException {
    if (!load.awaitProducers(LIMIT_SECONDS)) {
      throw new IllegalStateException(
          "not all producers have ended " + LIMIT_SECONDS + " s after they were told to");
    }
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    long produced = load.account().produced(); // no more of them, now
    while (load.taken() < produced && System.nanoTime() < limit) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(AFTERWARDS_MILLIS); // one too many would come now
    return load.account();
  }

  /** How often a second the work is done without producers, at best: others may disturb it. */
  private static double alone(long workNanos) {
    double best = 0;
    for (int i = 0; i < TRIES_ALONE; i++) {
      long start = System.nanoTime();
      long times = 0;
      long now = start;
      for (; now - start < ALONE_NANOS; now = System.nanoTime()) {
        Load.work(workNanos);
        times++;
      }
      best = Math.max(best, times * 1e9 / (now - start));
    }
    return best;
  }
}
