package io.selvage.kernel.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations as people write them. */
class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 ms",
    "PT0.000000001S, 1 ns",
    "PT0.0000015S, 1.5 µs",
    "PT0.05S, 50 ms",
    "PT0.0505S, 50.5 ms",
    "PT0.123456789S, 123.457 ms",
    "PT1S, 1 s",
    "PT2S, 2 s",
    "PT1.5S, 1.5 s",
    "PT1M, 1 min",
    "PT1M30S, 90 s",
    "PT60.001S, 60.001 s",
    "PT1H, 1 h",
    "PT1H30M, 90 min",
    "PT24H, 1 d",
    "PT36H, 36 h"
  })
  void duration_isWrittenInTheUnitThatSuitsIt(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource("PT2562047788015215H30M7S, 9223372036854775807 s")
  void duration_longestThereIs_isWritten(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }
}
