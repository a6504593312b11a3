package io.selvage.lab.program;

import java.util.concurrent.TimeUnit;

/**
 * Holds the watch for the ring programs.
 *
 * <p>The first ring of the fresh JVM is the cold figure: same processes, a tenth of the rounds.
 * More such rings follow until a message costs the same again and again, two seconds at most; then,
 * after a collection, comes the ring that counts. On two cores the compiler is done in less, and
 * what still differs after that, such as a hand-over that sometimes crosses to another core, would
 * differ for ever.
 */
final class RingMeasurement {
  private static final long MOST_WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int FEWEST_WARM_UPS = 3;

  private RingMeasurement() {}

  /**
   * What one ring did.
   *
   * @param setupNanos from the first spawn until the last one returned
   * @param runNanos from the first send until the last process had the token for the last time
   * @param deliveries how often a process got the token: the sum of what each counted for itself
   */
  record Ring(long setupNanos, long runNanos, long deliveries) {}

  /** Builds a ring, runs it and takes it down. */
  @FunctionalInterface
  interface RingProgram {
    Ring run(int processes, int rounds) throws Exception;
  }

  static Report measure(Arguments arguments, RingProgram program) throws Exception {
    int processes = arguments.count("processes");
    int rounds = arguments.count("rounds");
    int fewRounds = Math.max(1, rounds / 10);

    long start = System.nanoTime();
    Ring cold = run(program, processes, fewRounds);
    Steadiness steadiness = new Steadiness();
    for (int i = 1;
        i < FEWEST_WARM_UPS
            || (!steadiness.isReached() && System.nanoTime() - start < MOST_WARM_UP_NANOS);
        i++) {
      Ring warm = run(program, processes, fewRounds);
      steadiness.add(warm.runNanos, warm.deliveries);
    }
    long warmUp = System.nanoTime() - start;
    System.gc();
    // The lab itself checks the count of this one.
    Ring ring = program.run(processes, rounds);

    return new Report()
        .with("us_per_spawn", ring.setupNanos / 1e3 / processes)
        .with("ns_per_message", (double) ring.runNanos / ring.deliveries)
        .with("messages", ring.deliveries)
        .with("setup_seconds", ring.setupNanos / 1e9)
        .with("run_seconds", ring.runNanos / 1e9)
        .with("us_per_spawn_cold", cold.setupNanos / 1e3 / processes)
        .with("ns_per_message_cold", (double) cold.runNanos / cold.deliveries)
        .with("warm_up_seconds", warmUp / 1e9)
        .withPeakMemory();
  }

  /** Runs a ring whose count nobody will see, and checks it. */
  private static Ring run(RingProgram program, int processes, int rounds) throws Exception {
    Ring ring = program.run(processes, rounds);
    if (ring.deliveries != (long) processes * rounds) {
      throw new IllegalStateException(
          "a ring of "
              + processes
              + " processes delivered "
              + ring.deliveries
              + " messages in "
              + rounds
              + " rounds");
    }
    return ring;
  }
}
