package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * An experiment of the Savina suite: runs of the same work, of which each is timed as a whole.
 *
 * @param name the word to type
 * @param summary one line
 * @param parameters what can be set
 * @param count what a run counts, which shows that the work was done
 * @param done what was done with what is counted, such as {@code delivered}
 * @param expected what must be counted
 * @param work about how many messages a run makes; computing is counted as the messages that would
 *     take as long
 * @param processes how many processes exist at the same time
 */
record SavinaExperiment(
    String name,
    String summary,
    List<Parameter> parameters,
    Metric count,
    String done,
    ToLongFunction<Settings> expected,
    ToLongFunction<Settings> work,
    ToLongFunction<Settings> processes)
    implements Experiment {
  private static final long MOST_WORK = 1_000_000_000;

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "ms",
            "a run",
            Metric.Unit.MILLISECONDS,
            true,
            "from the first spawn until all is done; median of the warm runs"),
        new Metric(
            "ms_cold",
            "a run, cold",
            Metric.Unit.MILLISECONDS,
            true,
            "the first run of the fresh program"),
        count,
        Experiments.PEAK_MEMORY.hidden());
  }

  @Override
  public void check(Settings settings) {
    long much = work.applyAsLong(settings);
    if (much > MOST_WORK) {
      throw new BadInputException(
          String.format(
              Locale.ROOT,
              "%s %s is the work of %,d messages, which is too much to wait for: give smaller"
                  + " numbers, %,d messages are the most.",
              name,
              settings,
              much,
              MOST_WORK));
    }
  }

  @Override
  public long population(Settings settings) {
    return processes.applyAsLong(settings);
  }

  @Override
  public Duration timeLimit(Settings settings) {
    // The first run, one to warm up, and three that count may take 20 µs a message each; if they
    // are
    // faster there are more, for a few seconds.
    return Duration.ofSeconds(90).plusNanos(work.applyAsLong(settings) * 5 * 20_000);
  }

  @Override
  public Optional<String> verify(Settings settings, Map<String, Double> metrics) {
    return Experiments.expect(count.name(), done, expected.applyAsLong(settings), metrics);
  }
}
