package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two processes send a counter to and fro. */
final class Pingpong implements Experiment {
  @Override
  public String name() {
    return "pingpong";
  }

  @Override
  public String summary() {
    return "a counter to and fro between two processes; a round is a ping and its pong";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count(
            "rounds", "how often the counter goes and returns", 1, 100_000_000, 1_000_000));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "ns_per_round",
            "a round",
            Metric.Unit.NANOSECONDS,
            true,
            "until the last pong is back, by rounds; median of the warm runs"),
        new Metric(
            "ns_per_round_cold",
            "a round, cold",
            Metric.Unit.NANOSECONDS,
            true,
            "the same in the first run of a fresh program"),
        new Metric(
            "messages",
            "messages",
            Metric.Unit.COUNT,
            true,
            "pings and pongs that arrived in each run"),
        Experiments.PEAK_MEMORY.hidden());
  }

  @Override
  public List<String> headlines() {
    return List.of("ns_per_round", "messages");
  }

  @Override
  public long population(Settings settings) {
    return 2;
  }

  @Override
  public Duration timeLimit(Settings settings) {
    // Five runs or a few seconds of them, at 80 µs a round.
    return Duration.ofSeconds(60).plusNanos(settings.count("rounds") * 400_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    return Experiments.expect("messages", "delivered", 2 * settings.count("rounds"), metrics);
  }
}
