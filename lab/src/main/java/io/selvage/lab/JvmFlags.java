package io.selvage.lab;

import io.selvage.lab.program.Ready;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The flags of every measured JVM, the same for all runtimes of one call; the one place where they
 * are chosen.
 */
public final class JvmFlags {
  /**
   * Object headers of 8 bytes instead of 12, and the collector with the least of its own. Why
   * these, and what others give: {@code docs/figures.md}.
   */
  private static final List<String> CHOSEN =
      List.of("-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC");

  private static final long HEAP_BYTES = 4L << 30;

  /** The end of a program that ran out of heap is told by its exit code, not by a hang. */
  private static final String STOP_WHEN_FULL = "-XX:+ExitOnOutOfMemoryError";

  private JvmFlags() {}

  /**
   * The flags the lab uses if nobody says otherwise: a heap of 4 GB, or two thirds of a machine
   * that has less than 6.
   *
   * @param machine where they will be used
   * @return the flags
   */
  public static List<String> defaults(Machine machine) {
    long heap = Math.min(HEAP_BYTES, machine.memory().orElse(HEAP_BYTES * 2) / 3 * 2);
    List<String> flags = new ArrayList<>(CHOSEN);
    flags.add("-Xmx" + (heap >> 20) + "m");
    flags.add(STOP_WHEN_FULL);
    return List.copyOf(flags);
  }

  /**
   * The flags of an experiment. One of speed gets its whole heap from the beginning, as Java's own
   * guides tell those who run servers: else the first collections copy what lives in a heap that
   * has not grown yet, and that is what would be measured. Where memory is measured the heap grows
   * with what is needed. One that says itself how large the heap is goes before what all get.
   *
   * @param flags what all experiments get
   * @param experiment the experiment
   * @param settings its settings
   * @return these; for an experiment of speed also {@code -Xms} with the size of {@code -Xmx},
   *     unless they say how large the heap is at the beginning; for one with a heap of its own,
   *     that in place of any other size
   */
  static List<String> of(List<String> flags, Experiment experiment, Settings settings) {
    OptionalLong heap = experiment.heap(settings);
    if (heap.isPresent()) {
      List<String> others = new ArrayList<>(flags);
      others.removeIf(flag -> flag.matches("-Xm[xsn].*"));
      others.add("-Xmx" + (heap.getAsLong() >> 20) + "m");
      return List.copyOf(others);
    }
    if (!experiment.isOfSpeed()
        || flags.stream().anyMatch(flag -> flag.startsWith("-Xms") || flag.startsWith("-Xmn"))) {
      return flags;
    }
    List<String> all = new ArrayList<>(flags);
    flags.stream()
        .filter(flag -> flag.startsWith("-Xmx"))
        .reduce((a, b) -> b)
        .ifPresent(flag -> all.add("-Xms" + flag.substring("-Xmx".length())));
    return List.copyOf(all);
  }

  /**
   * Reads flags that a person wants instead, and asks a JVM whether it takes them.
   *
   * @param text flags with blanks between them; may be empty
   * @return the flags, and the one that ends a program when its heap is full
   * @throws BadInputException if a JVM does not start with them
   */
  public static List<String> parse(String text) {
    List<String> flags = new ArrayList<>();
    if (!text.isBlank()) {
      Collections.addAll(flags, text.strip().split("\\s+"));
    }
    for (String flag : flags) {
      if (!flag.startsWith("-")) {
        throw new BadInputException(
            "--jvm-flags \""
                + text
                + "\": \""
                + flag
                + "\" does not begin with a dash; give flags such as \"-XX:+UseParallelGC"
                + " -Xmx2g\".");
      }
    }
    if (!flags.contains(STOP_WHEN_FULL)) {
      flags.add(STOP_WHEN_FULL);
    }
    List<String> command = Launch.command(flags, Ready.class, List.of());
    ChildProcess.Ended ended;
    try {
      ended =
          ChildProcess.run(
                  new ProcessBuilder(command),
                  TimeUnit.SECONDS.toNanos(30),
                  elapsed -> {},
                  new Stop())
              .orElseThrow(
                  () -> new BadInputException("interrupted before anything was measured."));
    } catch (IOException e) {
      throw new BadInputException(
          "no JVM can be started from " + Launch.java() + ": " + e.getMessage() + ".");
    }
    if (ended.timedOut() || ended.exitCode() != 0 || !ended.lastLine().equals(Ready.WORD)) {
      throw new BadInputException(
          "--jvm-flags \""
              + text
              + "\": no program runs with them ("
              + ended.firstWords()
              + "); give flags that set up a JVM, such as \"-XX:+UseParallelGC -Xmx2g\".");
    }
    return List.copyOf(flags);
  }
}
