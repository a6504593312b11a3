package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Many processes send to one, which counts and sums what it gets. */
final class Fanin implements Experiment {
  /** All of them may have to wait in one mailbox. */
  private static final long MOST_MESSAGES = 100_000_000L;

  @Override
  public String name() {
    return "fanin";
  }

  @Override
  public String summary() {
    return "many processes send numbers to one, which counts and sums them";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter.Count("senders", "how many send", 1, 1_000_000, 1000),
        new Parameter.Count("messages", "how many messages each sends", 1, 100_000_000, 1000));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "messages_per_second",
            "messages a second",
            Metric.Unit.PER_SECOND,
            true,
            "from the word to begin until the receiver has them all; median of the warm runs"),
        new Metric(
            "messages_per_second_cold",
            "cold",
            Metric.Unit.PER_SECOND,
            true,
            "the same in the first run of a fresh program"),
        new Metric(
            "messages",
            "messages",
            Metric.Unit.COUNT,
            true,
            "what the receiver counted in each run"),
        Experiments.PEAK_MEMORY);
  }

  @Override
  public List<String> headlines() {
    return List.of("messages_per_second", "messages");
  }

  @Override
  public Map<String, String> presets() {
    return Map.of("few", "senders=4 messages=5000000");
  }

  @Override
  public void check(Settings settings) {
    if (messages(settings) > MOST_MESSAGES) {
      throw new BadInputException(
          String.format(
              Locale.ROOT,
              "%s makes %,d messages, which may all have to wait in one mailbox: keep senders ×"
                  + " messages at %,d or less.",
              settings,
              messages(settings),
              MOST_MESSAGES));
    }
  }

  @Override
  public long population(Settings settings) {
    return settings.count("senders") + 1;
  }

  @Override
  public Duration timeLimit(Settings settings) {
    // Five runs or a few seconds of them, at 20 µs a message and 400 µs a sender.
    return Duration.ofSeconds(60)
        .plusNanos(messages(settings) * 100_000)
        .plusNanos(settings.count("senders") * 2_000_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    return Experiments.expect("messages", "delivered", messages(settings), metrics);
  }

  private static long messages(Settings settings) {
    return settings.count("senders") * settings.count("messages");
  }
}
