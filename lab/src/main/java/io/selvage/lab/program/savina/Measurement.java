package io.selvage.lab.program.savina;

import io.selvage.kernel.Node;
import io.selvage.lab.program.Arguments;
import io.selvage.lab.program.Nodes;
import io.selvage.lab.program.Report;
import io.selvage.lab.program.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Holds the watch for all Savina programs.
 *
 * <p>The first run of the fresh JVM is the cold figure. The same run follows at least three times
 * and for at least three seconds, and the median is the warm figure; after ten seconds there is no
 * other, however few there were. A run is timed from its first spawn to the answer, and must count
 * what it should.
 */
final class Measurement {
  /** A timeout of calls within a run: whoever started this program ends it earlier. */
  static final Duration LONG = Duration.ofHours(1);

  private static final int FEWEST_RUNS = 3;

  /** Tests have no use for figures, and set this to 0. */
  private static final long LEAST_NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("selvage.lab.savina.seconds", 3));

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

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
    Timed cold = timed(metric, expected, run);
    afterEach.run();
    List<Timed> warm = new ArrayList<>();
    long start = System.nanoTime();
    do {
      warm.add(timed(metric, expected, run));
      afterEach.run();
    } while (!isEnough(warm.size(), System.nanoTime() - start));
    return new Report()
        .with("ms", median(warm.stream().map(Timed::nanos).toList()) / 1e6)
        .with("ms_cold", cold.nanos / 1e6)
        .with(metric, warm.getLast().count)
        .withPeakMemory();
  }

  private record Timed(long nanos, long count) {}

  private static Timed timed(String metric, long expected, Run run) throws Exception {
    long start = System.nanoTime();
    long count = run.count();
    long nanos = System.nanoTime() - start;
    if (count != expected) {
      throw new IllegalStateException(
          "a run counted " + count + " " + metric + " instead of " + expected);
    }
    return new Timed(nanos, count);
  }

  private static boolean isEnough(int runs, long nanos) {
    return nanos >= MOST_NANOS || (nanos >= LEAST_NANOS && runs >= FEWEST_RUNS);
  }

  private static double median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
  }
}
