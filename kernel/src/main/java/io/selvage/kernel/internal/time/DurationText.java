package io.selvage.kernel.internal.time;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;

/** Durations as people write them: {@code 50 ms}, {@code 1.5 s}, {@code 3 min}. */
public final class DurationText {
  private record Unit(String name, Duration length) {}

  private static final Unit SECOND = new Unit("s", Duration.ofSeconds(1));

  /** Those that are written only if the duration is a whole number of them; longest first. */
  private static final List<Unit> WHOLE =
      List.of(
          new Unit("d", Duration.ofDays(1)),
          new Unit("h", Duration.ofHours(1)),
          new Unit("min", Duration.ofMinutes(1)));

  private static final List<Unit> SHORT =
      List.of(
          SECOND,
          new Unit("ms", Duration.ofMillis(1)),
          new Unit("µs", Duration.ofNanos(1_000)),
          new Unit("ns", Duration.ofNanos(1)));

  private DurationText() {}

  /**
   * The text: a number, of three decimals at most, and the unit.
   *
   * @param duration of any length; not negative
   */
  public static String of(Duration duration) {
    for (Unit unit : WHOLE) {
      if (duration.compareTo(unit.length) >= 0
          && duration.toNanosPart() == 0
          && duration.toSeconds() % unit.length.toSeconds() == 0) {
        return duration.toSeconds() / unit.length.toSeconds() + " " + unit.name;
      }
    }
    for (Unit unit : SHORT) {
      if (duration.compareTo(unit.length) >= 0) {
        return number(duration, unit.length) + " " + unit.name;
      }
    }
    return "0 ms";
  }

  private static String number(Duration duration, Duration unit) {
    return decimal(duration)
        .divide(decimal(unit), 3, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  private static BigDecimal decimal(Duration duration) {
    return BigDecimal.valueOf(duration.toSeconds())
        .add(BigDecimal.valueOf(duration.toNanosPart(), 9));
  }
}
