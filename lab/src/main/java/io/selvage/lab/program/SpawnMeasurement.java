package io.selvage.lab.program;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Holds the watch for the spawn programs, in rounds of creating all processes and ending them.
 *
 * <p>The first round of the fresh JVM is the cold figure: code not compiled, memory never touched.
 * Then a new crowd runs warm rounds, each on a heap just collected, so that it reuses memory which
 * a round before has touched; the figure is their median. The memory of a process is taken last,
 * from a crowd that begins without tables, so that these count; and by then the frames on the
 * stacks of threads are those of compiled code, as in a program that has run for a while.
 */
final class SpawnMeasurement {
  private static final int FEWEST_ROUNDS = 5;
  private static final int MOST_ROUNDS = 101;
  private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private SpawnMeasurement() {}

  /** Many processes that are created, wait, and are ended, again and again. */
  interface Crowd extends AutoCloseable {
    /** Creates all processes; returns when every one of them waits, or spins if it shall. */
    void create() throws Exception;

    /**
     * Ends all processes and waits until they are gone.
     *
     * @return how many ended
     */
    long end() throws Exception;

    /** Gives back what all rounds had in common, such as a node. */
    @Override
    default void close() {}
  }

  /** Makes a crowd that has no processes yet. */
  @FunctionalInterface
  interface CrowdProgram {
    Crowd open() throws Exception;
  }

  static Report measure(Arguments arguments, CrowdProgram program) throws Exception {
    int processes = arguments.count("processes");
    Report report = new Report();
    long ended = 0;
    try (Crowd crowd = program.open()) {
      ended += coldRound(processes, crowd, report);
    }
    try (Crowd crowd = program.open()) {
      ended += warmRounds(processes, crowd, report);
    }
    try (Crowd crowd = program.open()) {
      ended += memoryRound(processes, crowd, report);
    }
    return report.with("ended", ended).withPeakMemory();
  }

  /** The first round of this JVM. */
  private static long coldRound(int processes, Crowd crowd, Report report) throws Exception {

    OptionalLong residentBefore = Memory.resident();
    long start = System.nanoTime();
    crowd.create();
    report.with("ns_per_spawn_cold", (double) (System.nanoTime() - start) / processes);
    OptionalLong residentAfter = Memory.resident();
    if (residentBefore.isPresent() && residentAfter.isPresent()) {
      long grown = residentAfter.getAsLong() - residentBefore.getAsLong();
      report.with("rss_bytes_per_process", (double) grown / processes);
    }
    return crowd.end();
  }

  private static long warmRounds(int processes, Crowd crowd, Report report) throws Exception {
    long ended = 0;
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
    report
        .with("ns_per_spawn", (double) median(spawns) / processes)
        .with("ns_per_end", (double) median(ends) / processes)
        .with("rounds", spawns.size() + 2);
    return ended;
  }

  private static long memoryRound(int processes, Crowd crowd, Report report) throws Exception {
    long heap = Memory.heapInUse();
    crowd.create();
    report.with("bytes_per_process", (double) (Memory.heapInUse() - heap) / processes);
    return crowd.end();
  }

  private static long median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
