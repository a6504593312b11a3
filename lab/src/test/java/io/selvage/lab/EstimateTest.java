package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EstimateTest {
  private static final Plan PLAN = new Plan(List.of(measurement("ring"), measurement("spawn")), 2);

  private final List<Plan.Step> steps = PLAN.steps();
  private final Estimate estimate = new Estimate(steps);

  @Test
  void plan_ofWhichNothingHasEnded_hasNone() {
    assertThat(estimate.left(steps.getFirst(), Duration.ofSeconds(3))).isEmpty();
  }

  @Test
  void run_isToldFromTheSameProgramElseFromOthersOfItsExperiment() {
    ended(0, 10, true);
    assertThat(left(1, 4)).isEqualTo("26 or more"); // 6 of this, 10 of a again, 10 of b again
    ended(1, 20, true);
    assertThat(left(2, 0)).isEqualTo("30 or more");
    ended(2, 12, true);
    ended(3, 20, true);
    assertThat(estimate.left(steps.get(4), Duration.ZERO)).isEmpty();
    ended(4, 5, true);
    assertThat(left(5, 0)).isEqualTo("15");
    assertThat(left(5, 60)).isEqualTo("10");
  }

  @Test
  void run_thatFailedAtOnce_tellsNothingOfTheOthers() {
    ended(0, 1, false);
    assertThat(left(1, 0)).isEqualTo("1 or more");
  }

  private void ended(int step, int seconds, boolean ok) {
    estimate.ended(
        steps.get(step),
        Duration.ofSeconds(seconds),
        new Result(
            "ring", "a", "1", Map.of(), Map.of(), Map.of(), 1, ok, ok ? null : "hung", null));
  }

  private String left(int step, int elapsed) {
    Optional<Estimate.Left> left = estimate.left(steps.get(step), Duration.ofSeconds(elapsed));
    return left.orElseThrow().time().toSeconds() + (left.get().whole() ? "" : " or more");
  }

  private static Plan.Measurement measurement(String name) {
    Experiment experiment = Experiments.named(name);
    return new Plan.Measurement(
        experiment,
        experiment.settings(List.of()),
        List.of(new FakeContender("a"), new FakeContender("b")));
  }
}
