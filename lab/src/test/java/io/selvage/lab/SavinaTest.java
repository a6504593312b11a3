package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The definitions of Savina's experiments, and each of their programs in a JVM of its own. */
class SavinaTest {
  private static final Machine MACHINE = Machine.here();
  private static final List<String> SELVAGE =
      List.of("selvage-event", "selvage-direct", "selvage-direct-workers");
  private static final List<String> JAVA =
      List.of("java-virtual", "java-virtual-park", "java-threads");

  /** The figures are of no interest here. */
  private static final List<String> FLAGS =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-Dselvage.lab.repeat.millis=10");

  @Test
  void defaults_areThoseOfTheSuite() {
    assertThat(Savina.all().stream().map(each -> each.name() + " " + each.settings(List.of())))
        .containsExactly(
            "counting messages=1000000",
            "fork-join-create actors=40000",
            "fork-join-throughput messages=10000 actors=60",
            "big messages=20000 actors=120",
            "chameneos meetings=200000 creatures=100",
            "bounded-buffer buffer=50 producers=40 consumers=40 items=1000 cost=25",
            "banking accounts=1000 transactions=50000",
            "sieve limit=100000 primes=1000",
            "fib n=25");
    assertThat(Experiments.all()).containsAll(Savina.all());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "counting|messages=3|messages|3|counted|2",
        "fork-join-create|actors=3|ended|3|ended|3",
        "fork-join-throughput|messages=3 actors=4|messages|12|delivered|5",
        "big|messages=3 actors=4|messages|12|answered|5",
        "chameneos|meetings=3 creatures=4|meetings|6|counted|5",
        "bounded-buffer|producers=3 items=4 consumers=2|items|12|consumed|6",
        "banking|transactions=3 accounts=4|transactions|3|completed|5",
        "sieve|limit=100 primes=10|primes|25|found|4",
        "fib|n=10|value|55|computed|110",
      })
  void count_thatIsOneShort_isWrong(
      String name, String words, String metric, double count, String done, long population) {
    Experiment experiment = Experiments.named(name);
    Settings settings = experiment.settings(List.of(words.split(" ", -1)));
    assertThat(experiment.verify(settings, Map.of(metric, count))).isEmpty();
    assertThat(experiment.verify(settings, Map.of(metric, count - 1)))
        .contains(
            String.format("%s %.0f instead of %.0f: some are missing", done, count - 1, count));
    assertThat(experiment.verify(settings, Map.of("ms", 1.0)))
        .contains("does not report \"" + metric + "\"");
    assertThat(experiment.headlines()).containsExactly("ms", "ms_cold", metric);
    assertThat(experiment.population(settings)).isEqualTo(population);
    assertThat(experiment.timeLimit(settings)).isBetween(seconds(90), seconds(91));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "counting|messages=0|messages=0 is too small: give 1 to 100,000,000 (how many increments"
            + " are sent).",
        "counting|actors=3|counting has no parameter \"actors\". Known are: messages.",
        "chameneos|creatures=1|creatures=1 is too small: give 2 to 100,000 (how many there are).",
        "banking|accounts=1|accounts=1 is too small: give 2 to 1,000,000 (how many there are).",
        "sieve|limit=1|limit=1 is too small: give 2 to 10,000,000 (up to where primes are looked"
            + " for).",
        "fib|n=41|n=41 is too large: give 1 to 40 (which number).",
        "fib|n=many|n=many is not a whole number: give 1 to 40 (which number).",
        "big|messages=100000000|big messages=100000000 actors=120 is the work of 24,000,000,000"
            + " messages, which is too much to wait for: give smaller numbers, 1,000,000,000"
            + " messages are the most.",
        "sieve|limit=10000000 primes=1|sieve limit=10000000 primes=1 is the work of"
            + " 221,063,456,243 messages, which is too much to wait for: give smaller numbers,"
            + " 1,000,000,000 messages are the most.",
      })
  void settings_thatMakeNoSense_areRefused(String name, String words, String message) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Experiments.named(name).settings(List.of(words.split(" ", -1))))
        .withMessage(message);
  }

  @Test
  void largestWork_doesNotOverflow() {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() ->
            Experiments.named("bounded-buffer")
                .settings(List.of("producers=100000", "items=10000000", "cost=100000")))
        .withMessageContaining("is the work of 100,004,000,000,000,000 messages");
  }

  @Test
  void experiment_withoutProgram_isRefusedInWords() {
    Experiment big = Experiments.named("big");
    Contender virtual = Contenders.named("java-virtual");
    assertThat(Contenders.of(big)).extracting(Contender::name).containsExactlyElementsOf(SELVAGE);
    assertThat(virtual.refusal(big, big.settings(List.of()), MACHINE))
        .contains("it has no program for big");
  }

  static Stream<String> small() {
    return Stream.of(
        "counting messages=1",
        "counting messages=1000",
        "fork-join-create actors=1",
        "fork-join-create actors=100",
        "fork-join-throughput messages=1 actors=1",
        "fork-join-throughput messages=100 actors=5",
        "big messages=1 actors=2",
        "big messages=100 actors=10",
        "chameneos meetings=1 creatures=2",
        "chameneos meetings=200 creatures=7",
        "bounded-buffer buffer=1 producers=1 consumers=1 items=1 cost=1",
        "bounded-buffer buffer=2 producers=7 consumers=3 items=20 cost=1",
        "bounded-buffer buffer=50 producers=3 consumers=7 items=20 cost=1",
        // Hundreds wait for one account at a time: more than a stash holds unless it is told to.
        "banking accounts=2 transactions=3000",
        "banking accounts=20 transactions=500",
        "sieve limit=2 primes=1",
        "sieve limit=500 primes=1",
        "sieve limit=1000 primes=30",
        "fib n=1",
        "fib n=10");
  }

  @ParameterizedTest
  @MethodSource("small")
  void programs_atSmallSize_areRight(String words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words.split(" ", -1)));
    Experiment experiment = Experiments.named(all.removeFirst());
    List<Contender> contenders = Contenders.of(experiment);
    Plan plan =
        new Plan(
            List.of(new Plan.Measurement(experiment, experiment.settings(all), contenders)), 1);
    List<Result> results =
        new Runner(MACHINE, FLAGS, Optional.of(seconds(60)), new Silence(), new Stop())
            .run(plan, ignored -> {});

    assertThat(results).extracting(Result::trouble).containsOnly(Optional.empty());
    assertThat(results)
        .extracting(Result::runtime)
        .containsAll(SELVAGE)
        .isSubsetOf(Stream.concat(SELVAGE.stream(), JAVA.stream()).toList());
    assertThat(results)
        .allMatch(result -> result.metrics().get("ms") > 0 && result.metrics().get("ms_cold") > 0);
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  /** Tells nobody how far it has come. */
  private static final class Silence implements Progress {
    @Override
    public void started(Plan.Step step) {}

    @Override
    public void running(Plan.Step step, Duration elapsed) {}

    @Override
    public void ended(Plan.Step step, Result result) {}
  }
}
