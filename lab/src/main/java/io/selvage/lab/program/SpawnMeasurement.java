package io.selvage.lab.program;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Holds the watch for the spawn programs, in rounds of creating all processes and ending them.
 *
 * <p>The first round of the fresh JVM is the cold figure: code not compiled, memory never touched.
 * The second, not timed, tells the memory of a process. Then come warm rounds, each on a heap just
 * collected, so that it reuses memory which a round before has touched; the figure is their median.
 */
final class SpawnMeasurement {
  private static final int FEWEST_ROUNDS = 5;
  private static final int MOST_ROUNDS = 101;
  private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(2);

  private SpawnMeasurement() {}

  /** Many processes that are created, wait, and are ended. */
  interface Crowd {
    /** Creates all processes; returns when every one of them waits, or spins if it shall. */
    void create() throws Exception;

    /**
     * Ends all processes and waits until they are gone.
     *
     * @return how many ended
     */
    long end() throws Exception;
  }

  static Report measure(Arguments arguments, Crowd crowd) throws Exception {
    int processes = arguments.count("processes");
    long ended = 0;

    OptionalLong residentBefore = Memory.resident();
    long cold = System.nanoTime();
    crowd.create();
    cold = System.nanoTime() - cold;
    OptionalLong residentAfter = Memory.resident();
    ended += crowd.end();

    long heap = Memory.heapInUse();
    crowd.create();
    heap = Memory.heapInUse() - heap;
    ended += crowd.end();

    List<Long> spawns = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    long enough = System.nanoTime() + ENOUGH_NANOS;
    while (spawns.size() < FEWEST_ROUNDS
        || (spawns.size() < MOST_ROUNDS && System.nanoTime() < enough)) {
      System.gc();
      long start = System.nanoTime();
      crowd.create();
      long created = System.nanoTime();
      ended += crowd.end();
      long gone = System.nanoTime();
      spawns.add(created - start);
      ends.add(gone - created);
    }

    int rounds = 2 + spawns.size();
    Report report =
        new Report()
            .with("ns_per_spawn", (double) median(spawns) / processes)
            .with("ns_per_spawn_cold", (double) cold / processes)
            .with("ns_per_end", (double) median(ends) / processes)
            .with("bytes_per_process", (double) heap / processes);
    if (residentBefore.isPresent() && residentAfter.isPresent()) {
      long grown = residentAfter.getAsLong() - residentBefore.getAsLong();
      report.with("rss_bytes_per_process", (double) grown / processes);
    }
    return report.with("rounds", rounds).with("ended", ended).withPeakMemory();
  }

  private static long median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
