package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A tree of processes, ten children each; a leaf reports its number, the others a sum. */
final class Skynet implements Experiment {
  @Override
  public String name() {
    return "skynet";
  }

  @Override
  public String summary() {
    return "a tree of processes with ten children each, which sums the numbers of its leaves";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count(
            "leaves", "how many leaves the tree has: a power of ten", 1, 10_000_000, 1_000_000));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "ms",
            "time",
            Metric.Unit.MILLISECONDS,
            true,
            "from the spawn of the root until its sum is there; median of the warm runs"),
        new Metric(
            "ms_cold",
            "time, cold",
            Metric.Unit.MILLISECONDS,
            true,
            "of the first run of a fresh program"),
        new Metric("sum", "sum", Metric.Unit.COUNT, true, "what the root reported in each run"),
        Experiments.PEAK_MEMORY);
  }

  @Override
  public List<String> headlines() {
    return List.of("ms", "sum");
  }

  @Override
  public void check(Settings settings) {
    long leaves = settings.count("leaves");
    if (!Long.toString(leaves).matches("10*")) {
      throw new BadInputException(
          "leaves="
              + leaves
              + " is not a power of ten, as every process has ten children: give 1, 10, 100 and so"
              + " on, up to 10000000.");
    }
  }

  /** Leaves and inner processes; how many of them exist at the same time is up to the runtime. */
  @Override
  public long population(Settings settings) {
    return (settings.count("leaves") * 10 - 1) / 9;
  }

  @Override
  public Duration timeLimit(Settings settings) {
    // Five runs or a few seconds of them, at 100 µs a process.
    return Duration.ofSeconds(60).plusNanos(population(settings) * 500_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    long leaves = settings.count("leaves");
    return Experiments.expect("sum", "summed up to", leaves * (leaves - 1) / 2, metrics);
  }
}
