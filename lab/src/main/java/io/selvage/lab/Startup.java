package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The smallest program: one process, one message, one answer, the end. */
final class Startup implements Experiment {
  @Override
  public String name() {
    return "startup";
  }

  @Override
  public String summary() {
    return "the smallest program from its start to its end: one process answers one message";
  }

  @Override
  public boolean isOfSpeed() {
    return false;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "ms",
            "time",
            Metric.Unit.MILLISECONDS,
            true,
            "from the start of the operating-system process to its end, measured by the lab"),
        new Metric(
            "answers", "answers", Metric.Unit.COUNT, true, "how many messages were answered"));
  }

  @Override
  public long population(Settings settings) {
    return 1;
  }

  @Override
  public Duration timeLimit(Settings settings) {
    return Duration.ofSeconds(60);
  }

  @Override
  public Map<String, Double> measuredFromOutside(Duration elapsed) {
    return Map.of("ms", elapsed.toNanos() / 1e6);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    return Experiments.expect("answers", "gave", 1, metrics);
  }
}
