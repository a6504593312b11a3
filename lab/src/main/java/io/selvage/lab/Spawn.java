package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Many processes are created, wait, and are ended, round after round. */
final class Spawn implements Experiment {
  @Override
  public String name() {
    return "spawn";
  }

  @Override
  public String summary() {
    return "processes created, left waiting, and ended; the end of each is counted";
  }

  @Override
  public boolean isOfSpeed() {
    return false;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count("processes", "how many exist at once", 1, 10_000_000, 100_000),
        new Parameter.Choice(
            "kind",
            "what binds them to their parent",
            List.of("plain", "linked", "monitored", "handshake")),
        new Parameter.Flag("busy", "whether each spins instead of waiting"));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "ns_per_spawn",
            "a spawn",
            Metric.Unit.NANOSECONDS,
            true,
            "until all wait; median of the warm rounds"),
        new Metric(
            "bytes_per_process",
            "memory",
            Metric.Unit.BYTES,
            true,
            "heap in use by each process that waits; of a platform thread, resident memory"),
        new Metric(
            "rss_bytes_per_process",
            "resident, cold",
            Metric.Unit.BYTES,
            true,
            "growth of resident memory in the first round; stacks and garbage included"),
        new Metric(
            "ns_per_spawn_cold",
            "a spawn, cold",
            Metric.Unit.NANOSECONDS,
            true,
            "in the first round of a fresh JVM, on memory never touched"),
        new Metric(
            "ns_per_end",
            "an end",
            Metric.Unit.NANOSECONDS,
            true,
            "until all have ended; median of the warm rounds"),
        new Metric("rounds", "rounds", Metric.Unit.COUNT, false, "how often all were created"),
        new Metric("ended", "ended", Metric.Unit.COUNT, false, "how many ended in all rounds"),
        Experiments.PEAK_MEMORY.hidden());
  }

  @Override
  public long population(Settings settings) {
    return settings.count("processes");
  }

  @Override
  public Duration timeLimit(Settings settings) {
    // A few rounds at 2 ms a process, which a busy machine may need for platform threads.
    return Duration.ofSeconds(60).plusNanos(settings.count("processes") * 2_000_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    double rounds = metrics.getOrDefault("rounds", 0.0);
    return rounds < 1
        ? Optional.of("reports no rounds")
        : Experiments.expect(
            "ended", "ended", settings.count("processes") * Math.round(rounds), metrics);
  }
}
