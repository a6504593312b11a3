package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Strings go through three stages, each of which replaces one word. */
final class Pipeline implements Experiment {
  @Override
  public String name() {
    return "pipeline";
  }

  @Override
  public String summary() {
    return "strings through three processes, each of which rewrites them; all are checked";
  }

  @Override
  public boolean isOfSpeed() {
    return false;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count(
            "items", "how many strings the manager sends", 1, 10_000_000, 1_000_000));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "wall_seconds",
            "time",
            Metric.Unit.SECONDS,
            true,
            "from the first spawn until the last stage has ended; median of the warm runs"),
        Experiments.PEAK_MEMORY,
        new Metric(
            "wall_seconds_cold",
            "time, cold",
            Metric.Unit.SECONDS,
            true,
            "of the first run of a fresh program"),
        new Metric(
            "completed",
            "completed",
            Metric.Unit.COUNT,
            true,
            "how many strings the last stage wrote in each run"));
  }

  @Override
  public long population(Settings settings) {
    return 3;
  }

  @Override
  public Duration timeLimit(Settings settings) {
    // Five runs or a few seconds of them, at 40 µs a string.
    return Duration.ofSeconds(60).plusNanos(settings.count("items") * 200_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    return Experiments.expect("completed", "completed", settings.count("items"), metrics);
  }
}
