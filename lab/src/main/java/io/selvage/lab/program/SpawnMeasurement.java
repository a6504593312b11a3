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

  private final int processes;
  private final Report report = new Report();
  private int rounds;
  private long ended;

  private SpawnMeasurement(int processes) {
    this.processes = processes;
  }

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

    /**
     * Whether most of a process's memory is not on the heap, as with the stacks of platform
     * threads. Then its memory is what the resident memory grew by in the cold round.
     */
    default boolean livesOutsideTheHeap() {
      return false;
    }

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
    return new SpawnMeasurement(arguments.count("processes")).measure(program);
  }

  private Report measure(CrowdProgram program) throws Exception {
    try (Crowd crowd = program.open()) {
      coldRound(crowd);
    }
    try (Crowd crowd = program.open()) {
      warmRounds(crowd);
    }
    try (Crowd crowd = program.open()) {
      if (!crowd.livesOutsideTheHeap()) {
        memoryRound(crowd);
      }
    }
    return report.with("rounds", rounds).with("ended", ended).withPeakMemory();
  }

  private void end(Crowd crowd) throws Exception {
    ended += crowd.end();
    rounds++;
  }

  /** The first round of this JVM. */
  private void coldRound(Crowd crowd) throws Exception {
    OptionalLong residentBefore = Memory.resident();
    long start = System.nanoTime();
    crowd.create();
    report.with("ns_per_spawn_cold", (double) (System.nanoTime() - start) / processes);
    OptionalLong residentAfter = Memory.resident();
    if (residentBefore.isPresent() && residentAfter.isPresent()) {
      double grown = residentAfter.getAsLong() - residentBefore.getAsLong();
      report.with("rss_bytes_per_process", grown / processes);
      if (crowd.livesOutsideTheHeap()) {
        report.with("bytes_per_process", grown / processes);
      }
    }
    end(crowd);
  }

  private void warmRounds(Crowd crowd) throws Exception {
    List<Long> spawns = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    long enough = System.nanoTime() + ENOUGH_NANOS;
    while (spawns.size() < FEWEST_ROUNDS
        || (spawns.size() < MOST_ROUNDS && System.nanoTime() < enough)) {
      System.gc();
      long start = System.nanoTime();
      crowd.create();
      long created = System.nanoTime();
      end(crowd);
      long gone = System.nanoTime();
      spawns.add(created - start);
      ends.add(gone - created);
    }
    report
        .with("ns_per_spawn", (double) median(spawns) / processes)
        .with("ns_per_end", (double) median(ends) / processes);
  }

  private void memoryRound(Crowd crowd) throws Exception {
    long heap = Memory.heapInUse();
    crowd.create();
    report.with("bytes_per_process", (double) (Memory.heapInUse() - heap) / processes);
    end(crowd);
  }

  private static long median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
