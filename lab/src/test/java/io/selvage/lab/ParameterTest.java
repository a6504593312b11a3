package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterTest {
  private static final Parameter COUNT = new Parameter.Count("n", "how many", 1, 1000, 10);
  private static final Parameter SPAN =
      new Parameter.Span(
          "wait", "how long", Duration.ofMillis(1), Duration.ofHours(1), Duration.ofSeconds(10));
  private static final Parameter CHOICE =
      new Parameter.Choice("kind", "which", List.of("plain", "linked"));
  private static final Parameter FLAG = new Parameter.Flag("busy", "whether");

  @ParameterizedTest
  @CsvSource({"1, 1", "1000, 1000", "1_000, 1000", "007, 7", "+5, 5"})
  void count_inRange_isRead(String text, long value) {
    assertThat(COUNT.parse(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({"1ms, 1", "500ms, 500", "10s, 10000", "2m, 120000", "1h, 3600000"})
  void span_inRange_isRead(String text, long millis) {
    assertThat(SPAN.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "0|n=0 is too small: give 1 to 1,000 (how many).",
        "-1|n=-1 is negative: give 1 to 1,000 (how many).",
        "1001|n=1001 is too large: give 1 to 1,000 (how many).",
        "9999999999999999999999|n=9999999999999999999999 is too large: give 1 to 1,000 (how many).",
        "ten|n=ten is not a whole number: give 1 to 1,000 (how many).",
        "1.5|n=1.5 is not a whole number: give 1 to 1,000 (how many).",
        "1e3|n=1e3 is not a whole number: give 1 to 1,000 (how many).",
        "\"\"|n= is not a whole number: give 1 to 1,000 (how many).",
      })
  void count_thatMakesNoSense_isRefusedWithValueCauseAndCure(String text, String message) {
    assertRefused(COUNT, text, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "10|wait=10 is not a duration: give a number with a unit, such as 500ms, 10s, 2m or 1h"
            + " (how long).",
        "-1s|wait=-1s is negative: give 1ms to 1h (how long).",
        "-1|wait=-1 is not a duration: give a number with a unit, such as 500ms, 10s, 2m or 1h"
            + " (how long).",
        "0s|wait=0s is too short: give 1ms to 1h (how long).",
        "2h|wait=2h is too long: give 1ms to 1h (how long).",
        "999999999999h|wait=999999999999h is too long: give 1ms to 1h (how long).",
      })
  void span_thatMakesNoSense_isRefusedWithValueCauseAndCure(String text, String message) {
    assertRefused(SPAN, text, message);
  }

  @Test
  void choice_otherWord_isRefused() {
    assertThat(CHOICE.parse("linked")).isEqualTo("linked");
    assertRefused(CHOICE, "lined", "kind=lined is unknown: give one of plain, linked (which).");
  }

  @Test
  void flag_otherWord_isRefused() {
    assertThat(FLAG.parse("true")).isEqualTo(true);
    assertThat(FLAG.parse("false")).isEqualTo(false);
    assertRefused(
        FLAG, "yes", "busy=yes is neither true nor false: give one of the two (whether).");
  }

  @ParameterizedTest
  @CsvSource({"1, 1ms", "1500, 1500ms", "10000, 10s", "60000, 60s", "120000, 2m", "3600000, 1h"})
  void duration_asText_isReadBack(long millis, String text) {
    assertThat(Durations.text(Duration.ofMillis(millis))).isEqualTo(text);
    assertThat(Durations.parse(text)).contains(Duration.ofMillis(millis));
  }

  private static void assertRefused(Parameter parameter, String text, String message) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> parameter.parse(text))
        .withMessage(message);
  }
}
