package io.selvage.lab;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All experiments there are. */
public final class Experiments {
  /** The most memory that a program ever had resident. */
  static final Metric PEAK_MEMORY =
      new Metric(
          "peak_rss_bytes",
          "peak memory",
          Metric.Unit.BYTES,
          true,
          "the most memory the whole program ever had resident, as the operating system counts it");

  private static final List<Experiment> ALL =
      Stream.concat(
              Stream.of(
                  new Ring(),
                  new Spawn(),
                  new Tasks(),
                  new Pipeline(),
                  new Pingpong(),
                  new Fanin(),
                  new Overload(),
                  new Skynet(),
                  new Startup()),
              Savina.all().stream())
          .toList();

  private Experiments() {}

  /**
   * All experiments.
   *
   * @return in the order in which they are shown
   */
  public static List<Experiment> all() {
    return ALL;
  }

  /**
   * Finds an experiment.
   *
   * @param name its name
   * @return the experiment
   * @throws BadInputException if there is none of this name; the message tells the nearest one
   */
  public static Experiment named(String name) {
    return ALL.stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new BadInputException(
                "there is no experiment \""
                    + name
                    + "\". "
                    + Nearest.hint(name, ALL.stream().map(Experiment::name).toList())));
  }

  /** Compares a count with what it must be; says so in words if it is another. */
  static Optional<String> expect(
      String metric, String done, long expected, Map<String, Double> metrics) {
    Double counted = metrics.get(metric);
    if (counted == null) {
      return Optional.of("does not report \"" + metric + "\"");
    }
    return Math.round(counted) == expected
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s %,d instead of %,d: %s",
                done,
                Math.round(counted),
                expected,
                counted < expected ? "some are missing" : "there are too many"));
  }
}
