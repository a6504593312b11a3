package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Producers that are faster than their consumer, in little memory: whatever lets mailboxes grow
 * dies, and whatever holds producers back, or refuses messages, goes on for as long as it is asked
 * to.
 */
final class Overload implements Experiment {
  private static final String PRODUCED = "produced";
  private static final String CONSUMED = "consumed";
  private static final String REFUSED = "refused";
  private static final String QUEUED = "still_queued";

  @Override
  public String name() {
    return "overload";
  }

  @Override
  public String summary() {
    return "producers send as fast as they can to a consumer that is slow, in a small heap";
  }

  @Override
  public boolean isOfSpeed() {
    return false;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count("producers", "how many send", 1, 1000, 8),
        new Parameter.Count("work", "microseconds of work for each message", 1, 1_000_000, 20),
        new Parameter.Count("seconds", "how long they send", 1, 86_400, 10),
        new Parameter.Size("heap", "how much memory a program gets", 32, 65_536, 64));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "consumed_percent",
            "of alone",
            Metric.Unit.PERCENT,
            true,
            "messages consumed a second, as a share of what the same work does without producers"),
        Experiments.PEAK_MEMORY,
        count("longest_queue", "longest queue", "the most messages that waited at a time"),
        count(PRODUCED, "produced", "how many messages were sent, or refused"),
        count(CONSUMED, "consumed", "how many of them the consumer worked on in its time"),
        count(REFUSED, "refused", "how many the runtime did not take"),
        count(QUEUED, "still queued", "how many were left when the time was over"),
        new Metric(
            "consumed_per_second",
            "consumed a second",
            Metric.Unit.PER_SECOND,
            false,
            "consumed by the seconds it took"),
        new Metric(
            "alone_per_second",
            "alone",
            Metric.Unit.PER_SECOND,
            false,
            "the same work without producers, in the same program"));
  }

  private static Metric count(String name, String title, String description) {
    return new Metric(name, title, Metric.Unit.COUNT, true, description);
  }

  @Override
  public List<String> headlines() {
    return List.of("consumed_percent", Experiments.PEAK_MEMORY.name(), CONSUMED);
  }

  /** What one producer costs shows what seven more do. */
  @Override
  public List<List<String>> series() {
    return Stream.of("1", "2", "4", "8").map(count -> List.of("producers=" + count)).toList();
  }

  @Override
  public OptionalLong heap(Settings settings) {
    return OptionalLong.of(settings.bytes("heap"));
  }

  @Override
  public long population(Settings settings) {
    return settings.count("producers") + 1;
  }

  /**
   * Besides the sending: the work alone, and a queue that is emptied by a machine short of memory.
   */
  @Override
  public Duration timeLimit(Settings settings) {
    return Duration.ofSeconds(90 + 2 * settings.count("seconds"));
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    for (String name : List.of(PRODUCED, CONSUMED, REFUSED, QUEUED)) {
      if (!metrics.containsKey(name)) {
        return Optional.of("does not report \"" + name + "\"");
      }
    }
    long produced = number(PRODUCED, metrics);
    long consumed = number(CONSUMED, metrics);
    long refused = number(REFUSED, metrics);
    long queued = number(QUEUED, metrics);
    if (consumed == 0) {
      return Optional.of("consumed nothing");
    }
    long missing = produced - consumed - refused - queued;
    return missing == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "produced %,d, but consumed %,d, refused %,d and left %,d queued: %,d are %s",
                produced,
                consumed,
                refused,
                queued,
                Math.abs(missing),
                missing > 0 ? "missing" : "too many"));
  }

  private static long number(String name, Map<String, Double> metrics) {
    return Math.round(metrics.getOrDefault(name, 0.0));
  }
}
