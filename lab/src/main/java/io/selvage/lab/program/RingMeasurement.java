package io.selvage.lab.program;

import java.util.concurrent.TimeUnit;

/**
 * Holds the watch for the ring programs.
 *
 * <p>The first ring of the fresh JVM is the cold figure: same processes, a tenth of the rounds.
 * More such rings follow, unmeasured, until the compiler has had three seconds; then, after a
 * collection, comes the ring that counts.
 */
final class RingMeasurement {
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(3);
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
    Ring cold = program.run(processes, fewRounds);
    for (int i = 1; i < FEWEST_WARM_UPS || System.nanoTime() - start < WARM_UP_NANOS; i++) {
      program.run(processes, fewRounds);
    }
    System.gc();
    Ring ring = program.run(processes, rounds);

    return new Report()
        .with("us_per_spawn", ring.setupNanos / 1e3 / processes)
        .with("ns_per_message", (double) ring.runNanos / ring.deliveries)
        .with("messages", ring.deliveries)
        .with("setup_seconds", ring.setupNanos / 1e9)
        .with("run_seconds", ring.runNanos / 1e9)
        .with("us_per_spawn_cold", cold.setupNanos / 1e3 / processes)
        .with("ns_per_message_cold", (double) cold.runNanos / cold.deliveries)
        .withPeakMemory();
  }
}
