package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One token goes round a ring of processes. The well-known program of 1998 stopped after two
 * rounds, whatever it was asked for, and so flattered itself; here every process counts what it
 * gets.
 */
final class Ring implements Experiment {
  private static final long MOST_MESSAGES = 10_000_000_000L;

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public String summary() {
    return "one token round a ring of processes; every delivery is counted";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count("processes", "how many stand in the ring", 1, 10_000_000, 3000),
        new Parameter.Count(
            "rounds", "how often the token passes each of them", 1, 1_000_000_000, 1000));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "ns_per_message",
            "a message",
            Metric.Unit.NANOSECONDS,
            true,
            "run_seconds by messages"),
        new Metric(
            "us_per_spawn",
            "a spawn",
            Metric.Unit.MICROSECONDS,
            true,
            "setup_seconds by processes"),
        new Metric(
            "messages",
            "messages",
            Metric.Unit.COUNT,
            true,
            "the sum of what each process counted"),
        new Metric(
            "setup_seconds", "setup", Metric.Unit.SECONDS, true, "until the last spawn returned"),
        new Metric(
            "run_seconds",
            "run",
            Metric.Unit.SECONDS,
            true,
            "until the last process had the token for the last time"),
        new Metric(
            "ns_per_message_cold",
            "a message, cold",
            Metric.Unit.NANOSECONDS,
            true,
            "in the first ring of a fresh JVM, a tenth of the rounds"),
        new Metric(
            "us_per_spawn_cold",
            "a spawn, cold",
            Metric.Unit.MICROSECONDS,
            false,
            "in the first ring of a fresh JVM"),
        new Metric(
            "warm_up_seconds",
            "warm-up",
            Metric.Unit.SECONDS,
            false,
            "how long smaller rings ran before the one that counts"),
        Experiments.PEAK_MEMORY.hidden());
  }

  @Override
  public List<String> headlines() {
    return List.of("ns_per_message", "messages");
  }

  @Override
  public Map<String, String> presets() {
    // 16,000 processes and 1,000,000 messages, as first published; whole rounds, rounded up.
    return Map.of("classic", "processes=16000 rounds=63");
  }

  @Override
  public void check(Settings settings) {
    long messages = messages(settings);
    if (messages > MOST_MESSAGES) {
      throw new BadInputException(
          String.format(
              Locale.ROOT,
              "%s makes %,d messages, which is too many to wait for: keep processes × rounds at"
                  + " %,d or less.",
              settings,
              messages,
              MOST_MESSAGES));
    }
  }

  @Override
  public long population(Settings settings) {
    return settings.count("processes");
  }

  @Override
  public Duration timeLimit(Settings settings) {
    // Warm-up included: 40 µs a message and 400 µs a process.
    return Duration.ofSeconds(60)
        .plusNanos(messages(settings) * 40_000)
        .plusNanos(settings.count("processes") * 400_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    return Experiments.expect("messages", "delivered", messages(settings), metrics);
  }

  private static long messages(Settings settings) {
    return settings.count("processes") * settings.count("rounds");
  }
}
