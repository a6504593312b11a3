package io.selvage.lab.program;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/**
 * What a measured program says at its end, as one JSON object on one line of standard output: what
 * it measured and counted ({@code {"metrics":{…}}}), why it could not be run here ({@code
 * {"refused":"…"}}), or what went wrong ({@code {"error":"…"}}).
 */
public final class Report {
  private final Map<String, Object> metrics = new LinkedHashMap<>();

  /** With nothing in it yet. */
  public Report() {}

  /**
   * Adds a figure.
   *
   * @param metric its name
   * @param value its value
   * @return this
   */
  public Report with(String metric, Number value) {
    metrics.put(metric, value);
    return this;
  }

  /**
   * Adds the peak memory of this whole process where the operating system tells it.
   *
   * @return this
   */
  public Report withPeakMemory() {
    Memory.peakResident().ifPresent(bytes -> with("peak_rss_bytes", bytes));
    return this;
  }

  /** What a measured program does between its arguments and its report. */
  @FunctionalInterface
  public interface Program {
    /**
     * Runs it.
     *
     * @param arguments what it was asked to do
     * @return what it measured and counted
     * @throws Exception if it could not do it; the message is all that is seen of it
     */
    Report run(Arguments arguments) throws Exception;
  }

  /** This program cannot be run on this JVM, and guessing would be wrong. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  /**
   * Runs a program, prints its report and ends the JVM, whatever threads are left.
   *
   * @param args the arguments of {@code main}
   * @param program the program
   */
  public static void print(String[] args, Program program) {
    Map<String, Object> line;
    int exitCode = 1;
    try {
      line = Map.of("metrics", program.run(new Arguments(args)).metrics);
      exitCode = 0;
    } catch (Refused e) {
      line = Map.of("refused", String.valueOf(e.getMessage()));
    } catch (Throwable e) { // an OutOfMemoryError too must be told
      line = Map.of("error", e.toString());
    }
    System.out.println(JSON.std.asString(line));
    System.out.flush();
    System.exit(exitCode);
  }
}
