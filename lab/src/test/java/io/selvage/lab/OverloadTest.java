package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The experiment of overload, and its programs in JVMs with little memory. */
class OverloadTest {
  private static final Machine MACHINE = Machine.here();
  private static final Experiment OVERLOAD = Experiments.named("overload");
  private static final List<String> FLAGS =
      List.of("-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-Xmx1g");

  @Test
  void settings_byDefault_areEightProducersForTenSeconds() {
    Settings settings = OVERLOAD.settings(List.of());
    assertThat(settings).hasToString("producers=8 work=20 seconds=10 heap=64m");
    assertThat(OVERLOAD.heap(settings)).hasValue(64L << 20);
    assertThat(OVERLOAD.population(settings)).isEqualTo(9);
    assertThat(OVERLOAD.series()).hasSize(4).last().isEqualTo(List.of("producers=8"));
    assertThat(Experiments.named("ring").heap(Experiments.named("ring").settings(List.of())))
        .isEmpty();
  }

  @Test
  void account_thatAddsUp_isRight() {
    assertThat(verify(10, 5, 2, 3)).isEmpty();
    assertThat(verify(10, 10, 0, 0)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10|5|2|2|produced 10, but consumed 5, refused 2 and left 2 queued: 1 are missing",
        "10|5|2|4|produced 10, but consumed 5, refused 2 and left 4 queued: 1 are too many",
        "10|0|0|10|consumed nothing",
      })
  void account_thatDoesNot_isWrong(
      double produced, double consumed, double refused, double queued, String wrong) {
    assertThat(verify(produced, consumed, refused, queued)).contains(wrong);
  }

  @Test
  void account_thatIsIncomplete_isWrong() {
    assertThat(
            OVERLOAD.verify(
                OVERLOAD.settings(List.of()), Map.of("produced", 10.0, "consumed", 10.0)))
        .contains("does not report \"refused\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "heap=64|heap=64 is not a size: give megabytes or gigabytes such as 64m or 1g (how much"
            + " memory a program gets).",
        "heap=1m|heap=1m is too small: give 32m to 65536m (how much memory a program gets).",
        "heap=65g|heap=65g is too large: give 32m to 65536m (how much memory a program gets).",
      })
  void heap_thatMakesNoSense_isRefused(String word, String message) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> OVERLOAD.settings(List.of(word)))
        .withMessage(message);
  }

  @Test
  void heap_inGigabytes_isTheSameInMegabytes() {
    assertThat(OVERLOAD.settings(List.of("heap=1G")))
        .isEqualTo(OVERLOAD.settings(List.of("heap=1024m")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "selvage-event",
        "selvage-direct",
        "selvage-direct-workers",
        "java-virtual-bounded"
      })
  void runtime_thatHoldsProducersBack_livesAndLosesNothing(String name) throws IOException {
    Result result = run(name, "producers=8", "seconds=1", "heap=32m");
    assertThat(result.trouble()).isEmpty();
    Map<String, Double> metrics = result.metrics();
    assertThat(metrics.get("produced"))
        .isPositive()
        .isEqualTo(metrics.get("consumed") + metrics.get("refused") + metrics.get("still_queued"));
    assertThat(metrics.get("longest_queue")).isBetween(1.0, 20_000.0);
    assertThat(metrics.get("consumed_percent")).isBetween(1.0, 200.0);
    assertThat(result.environment().get("flags"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .contains("-Xmx32m")
        .doesNotContain("-Xmx1g");
  }

  /** Else the test of those that live would mean nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"selvage-event-unbounded", "selvage-direct-unbounded", "java-virtual"})
  void runtime_thatDoesNot_dies(String name) throws IOException {
    Result result = run(name, "producers=8", "seconds=60", "heap=32m");
    assertThat(result.ok()).isFalse();
    assertThat(result.isDeath()).isTrue();
    assertThat(result.trouble())
        .get()
        .asString()
        .matches("died after [0-9.]+ s: its heap of 32m was full");
  }

  @Test
  void programOfAnotherExperiment_thatHasNoMemory_fails() throws IOException {
    Experiment ring = Experiments.named("ring");
    Result result =
        runner()
            .run(plan(ring, ring.settings(List.of()), new FakeContender("hungry")), ignored -> {})
            .getFirst();
    assertThat(result.isDeath()).isFalse();
    assertThat(result.trouble()).get().asString().startsWith("FAILED: ran out of heap");
  }

  private static Optional<String> verify(
      double produced, double consumed, double refused, double queued) {
    return OVERLOAD.verify(
        OVERLOAD.settings(List.of()),
        Map.of(
            "produced", produced,
            "consumed", consumed,
            "refused", refused,
            "still_queued", queued));
  }

  private static Result run(String runtime, String... words) throws IOException {
    return runner()
        .run(
            plan(OVERLOAD, OVERLOAD.settings(List.of(words)), Contenders.named(runtime)),
            ignored -> {})
        .getFirst();
  }

  private static Plan plan(Experiment experiment, Settings settings, Contender contender) {
    return new Plan(List.of(new Plan.Measurement(experiment, settings, List.of(contender))), 1);
  }

  private static Runner runner() {
    return new Runner(MACHINE, FLAGS, Optional.empty(), new Silence(), new Stop());
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
