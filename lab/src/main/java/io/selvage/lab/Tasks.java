package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Many tasks wait at the same time; the program ends when all have. */
final class Tasks implements Experiment {
  @Override
  public String name() {
    return "tasks";
  }

  @Override
  public String summary() {
    return "tasks that each wait; the program ends when all have; peak memory of the whole program";
  }

  @Override
  public boolean isOfSpeed() {
    return false;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count("tasks", "how many wait at once", 1, 10_000_000, 1_000_000),
        new Parameter.Span(
            "wait",
            "how long each waits",
            Duration.ofMillis(1),
            Duration.ofHours(1),
            Duration.ofSeconds(10)));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Experiments.PEAK_MEMORY,
        new Metric(
            "wall_seconds",
            "time",
            Metric.Unit.SECONDS,
            true,
            "from the first task's start to the last one's end, the wait included"),
        new Metric(
            "start_seconds",
            "starting all",
            Metric.Unit.SECONDS,
            true,
            "until the last was started"),
        new Metric(
            "completed", "completed", Metric.Unit.COUNT, true, "how many tasks reached their end"));
  }

  @Override
  public List<String> headlines() {
    return List.of("peak_rss_bytes", "wall_seconds", "completed");
  }

  /** The numbers of the well-known comparison of the memory of a million concurrent tasks. */
  @Override
  public List<List<String>> series() {
    return Stream.of("1", "10000", "100000", "1000000")
        .map(count -> List.of("tasks=" + count))
        .toList();
  }

  @Override
  public long population(Settings settings) {
    return settings.count("tasks");
  }

  @Override
  public Duration timeLimit(Settings settings) {
    return Duration.ofSeconds(60)
        .plus(settings.span("wait").multipliedBy(2))
        .plusNanos(settings.count("tasks") * 500_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    double wait = settings.span("wait").toNanos() / 1e9;
    double wall = metrics.getOrDefault("wall_seconds", 0.0);
    return Experiments.expect("completed", "completed", settings.count("tasks"), metrics)
        .or(() ->
            wall < wait
                ? Optional.of(
                    String.format(
                        Locale.ROOT,
                        "ended after %.3f s, but every task had to wait %.3f s",
                        wall,
                        wait))
                : Optional.empty());
  }

  @Override
  public Optional<String> remark(Settings settings, Map<String, Double> metrics) {
    double wait = settings.span("wait").toNanos() / 1e9;
    double starting = metrics.getOrDefault("start_seconds", 0.0);
    return starting > wait
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "took %.1f s to start all, longer than the first one waited: there were never %,d"
                    + " at once",
                starting,
                settings.count("tasks")))
        : Optional.empty();
  }
}
