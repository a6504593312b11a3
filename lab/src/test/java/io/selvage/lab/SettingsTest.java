package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @Test
  void settings_nothingGiven_areTheDefaults() {
    assertThat(Experiments.named("ring").settings(List.of()))
        .hasToString("processes=3000 rounds=1000");
    assertThat(Experiments.named("spawn").settings(List.of()))
        .hasToString("processes=100000 kind=plain busy=false");
    assertThat(Experiments.named("tasks").settings(List.of()))
        .hasToString("tasks=1000000 wait=10s");
  }

  @Test
  void settings_valuesGiven_replaceDefaults() {
    Settings settings = Experiments.named("tasks").settings(List.of("wait=500ms", "tasks=1_000"));
    assertThat(settings.count("tasks")).isEqualTo(1000);
    assertThat(settings.span("wait")).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.asJson()).containsEntry("wait", "500ms").containsEntry("tasks", 1000L);
  }

  @Test
  void settings_preset_givesWayToValues() {
    assertThat(Experiments.named("ring").settings(List.of("classic")))
        .hasToString("processes=16000 rounds=63");
    assertThat(Experiments.named("ring").settings(List.of("rounds=2", "classic")))
        .hasToString("processes=16000 rounds=2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ring|procesess=3|ring has no parameter \"procesess\". Did you mean \"processes\"? Known"
            + " are: processes, rounds.",
        "ring|colour=red|ring has no parameter \"colour\". Known are: processes, rounds.",
        "ring|clasic|\"clasic\" is no setting of ring: write name=value, such as processes=3000, or"
            + " classic.",
        "tasks|100|\"100\" is no setting of tasks: write name=value, such as tasks=1000000.",
        "ring|processes=1 processes=2|the parameter processes is given twice: give it once.",
        "ring|processes=10000000 rounds=1000000|processes=10000000 rounds=1000000 makes"
            + " 10,000,000,000,000 messages, which is too many to wait for: keep processes × rounds"
            + " at 10,000,000,000 or less.",
      })
  void settings_thatMakeNoSense_areRefused(String experiment, String words, String message) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Experiments.named(experiment).settings(List.of(words.split(" ", -1))))
        .withMessage(message);
  }

  @Test
  void names_mistyped_areRefusedWithTheNearest() {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Experiments.named("rnig"))
        .withMessageStartingWith(
            "there is no experiment \"rnig\". Did you mean \"ring\"? Known are: ring, spawn,"
                + " tasks, ");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Contenders.named("java-virtul"))
        .withMessageStartingWith(
            "there is no runtime \"java-virtul\". Did you mean \"java-virtual\"? Known are:");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Contenders.named("event"))
        .withMessageContaining("Did you mean \"selvage-event\"?");
  }
}
