package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerifyTest {
  @Test
  void ring_everyDeliveryCounted_isRight() {
    assertThat(verify("ring", "processes=3 rounds=4", Map.of("messages", 12.0))).isEqualTo("right");
  }

  @Test
  void ring_twoRoundsOnly_isWrong() {
    assertThat(verify("ring", "processes=3 rounds=4", Map.of("messages", 6.0)))
        .isEqualTo("delivered 6 instead of 12: some are missing");
  }

  @Test
  void ring_countMissing_isWrong() {
    assertThat(verify("ring", "processes=3 rounds=4", Map.of()))
        .isEqualTo("does not report \"messages\"");
  }

  @Test
  void spawn_oneProcessLeft_isWrong() {
    assertThat(verify("spawn", "processes=10", Map.of("rounds", 3.0, "ended", 30.0)))
        .isEqualTo("right");
    assertThat(verify("spawn", "processes=10", Map.of("rounds", 3.0, "ended", 29.0)))
        .isEqualTo("ended 29 instead of 30: some are missing");
    assertThat(verify("spawn", "processes=10", Map.of("ended", 30.0)))
        .isEqualTo("reports no rounds");
  }

  @Test
  void tasks_endedBeforeTheirWait_isWrong() {
    assertThat(verify("tasks", "tasks=5 wait=1s", Map.of("completed", 5.0, "wall_seconds", 1.01)))
        .isEqualTo("right");
    assertThat(verify("tasks", "tasks=5 wait=1s", Map.of("completed", 6.0, "wall_seconds", 1.01)))
        .isEqualTo("completed 6 instead of 5: there are too many");
    assertThat(verify("tasks", "tasks=5 wait=1s", Map.of("completed", 5.0, "wall_seconds", 0.5)))
        .isEqualTo("ended after 0.500 s, but every task had to wait 1.000 s");
  }

  @Test
  void pipeline_oneStringMissing_isWrong() {
    assertThat(verify("pipeline", "items=10", Map.of("completed", 10.0))).isEqualTo("right");
    assertThat(verify("pipeline", "items=10", Map.of("completed", 9.0)))
        .isEqualTo("completed 9 instead of 10: some are missing");
  }

  @Test
  void pingpong_pingsWithoutPongs_isWrong() {
    assertThat(verify("pingpong", "rounds=10", Map.of("messages", 20.0))).isEqualTo("right");
    assertThat(verify("pingpong", "rounds=10", Map.of("messages", 10.0)))
        .isEqualTo("delivered 10 instead of 20: some are missing");
  }

  @Test
  void fanin_oneMessageTooMany_isWrong() {
    assertThat(verify("fanin", "senders=3 messages=5", Map.of("messages", 15.0)))
        .isEqualTo("right");
    assertThat(verify("fanin", "senders=3 messages=5", Map.of("messages", 16.0)))
        .isEqualTo("delivered 16 instead of 15: there are too many");
  }

  @Test
  void skynet_oneLeafMissing_isWrong() {
    assertThat(verify("skynet", "leaves=1", Map.of("sum", 0.0))).isEqualTo("right");
    assertThat(verify("skynet", "leaves=100", Map.of("sum", 4950.0))).isEqualTo("right");
    assertThat(verify("skynet", "leaves=100", Map.of("sum", 4851.0)))
        .isEqualTo("summed up to 4,851 instead of 4,950: some are missing");
  }

  @Test
  void startup_withoutAnswer_isWrong() {
    Experiment startup = Experiments.named("startup");
    Settings settings = startup.settings(List.of());
    assertThat(startup.verify(settings, Map.of("answers", 1.0))).isEmpty();
    assertThat(startup.verify(settings, Map.of("ms", 5.0))).contains("does not report \"answers\"");
  }

  private static String verify(String name, String words, Map<String, Double> metrics) {
    Experiment experiment = Experiments.named(name);
    return experiment
        .verify(experiment.settings(List.of(words.split(" ", -1))), metrics)
        .orElse("right");
  }
}
