package io.selvage.lab.program.savina;

import io.selvage.kernel.Node;
import io.selvage.lab.program.Arguments;
import io.selvage.lab.program.Nodes;
import io.selvage.lab.program.Repeats;
import io.selvage.lab.program.Report;
import io.selvage.lab.program.Waiting;
import java.time.Duration;

/**
 * Holds the watch for all Savina programs. A run is timed from its first spawn to the answer, and
 * must count what it should; how often it runs is told by {@link Repeats}.
 */
final class Measurement {
  /** A timeout of calls within a run: whoever started this program ends it earlier. */
  static final Duration LONG = Duration.ofHours(1);

  private Measurement() {}

  /** One run. */
  @FunctionalInterface
  interface Run {
    /** Does all the work, and answers what it counted. */
    long count() throws Exception;
  }

  /** One run on a node, whose processes have all ended, or are about to, when it answers. */
  @FunctionalInterface
  interface NodeRun {
    long count(Node node) throws Exception;
  }

  /** Measures a program of Selvage; {@code workers=true} has the direct processes on workers. */
  static Report onNode(Arguments arguments, String metric, long expected, NodeRun run)
      throws Exception {
    try (Node node = Nodes.start(arguments.flag("workers"))) {
      return measure(
          metric,
          expected,
          () -> run.count(node),
          () -> Waiting.until(() -> node.stats().processes() == 0));
    }
  }

  /** Measures a program of plain Java. */
  static Report measure(String metric, long expected, Run run) throws Exception {
    return measure(metric, expected, run, () -> {});
  }

  private static Report measure(String metric, long expected, Run run, Runnable afterEach)
      throws Exception {
    long[] count = new long[1];
    Repeats repeats =
        Repeats.of(() -> {
          long start = System.nanoTime();
          count[0] = run.count();
          long nanos = System.nanoTime() - start;
          if (count[0] != expected) {
            throw new IllegalStateException(
                "a run counted " + count[0] + " " + metric + " instead of " + expected);
          }
          afterEach.run();
          return nanos;
        });
    return new Report()
        .with("ms", repeats.medianNanos() / 1e6)
        .with("ms_cold", repeats.coldNanos() / 1e6)
        .with(metric, count[0])
        .withPeakMemory();
  }
}
