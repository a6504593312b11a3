package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final Contender HERE = new FakeContender("good");
  private static final Contender ABSENT = new FakeContender("absent");

  @Test
  void all_withoutRuntimes_isEveryExperimentOnSelvageAndPlainJava() {
    Plan plan = Plan.all(Optional.empty(), 1);
    assertThat(plan.measurements())
        .extracting(Plan.Measurement::experiment)
        .containsAll(Experiments.all());
    assertThat(plan.measurements())
        .allMatch(measurement -> !measurement.contenders().isEmpty())
        .allMatch(measurement ->
            measurement.contenders().stream()
                .allMatch(contender -> contender.takesPartIn(measurement.experiment())));
  }

  @Test
  void all_measuresTasksAtTheWellKnownNumbers() {
    assertThat(
            Plan.all(Optional.of(List.of(HERE)), 1).measurements().stream()
                .filter(measurement -> measurement.experiment().name().equals("tasks"))
                .map(measurement -> measurement.settings().count("tasks")))
        .containsExactly(1L, 10_000L, 100_000L, 1_000_000L);
  }

  @Test
  void all_namesWhoIsAbsentOnce() {
    List<Plan.Step> steps = Plan.all(Optional.of(List.of(HERE, ABSENT)), 3).steps();
    assertThat(steps).filteredOn(step -> step.contender().equals(ABSENT)).hasSize(1);
    assertThat(steps)
        .filteredOn(step -> step.contender().equals(HERE))
        .hasSize(3 * Experiments.all().stream().mapToInt(one -> one.series().size()).sum());
    assertThat(steps).allMatch(step -> step.of() == steps.size());
    assertThat(steps).extracting(Plan.Step::number).first().isEqualTo(1);
    assertThat(steps).extracting(Plan.Step::number).last().isEqualTo(steps.size());
  }
}
