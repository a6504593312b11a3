package io.selvage.lab;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people type them: {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}. */
final class Durations {
  /** What to type instead of what was not understood. */
  static final String FORM = "a number with a unit, such as 500ms, 10s, 2m or 1h";

  private static final Pattern TEXT = Pattern.compile("([0-9]+)(ms|s|m|h)");

  private static final int MOST_DIGITS = 12;

  /** Stands for any longer time: too long in every unit, and yet a duration. */
  private static final long TOO_LONG = 999_999_999_999L;

  private Durations() {}

  static Optional<Duration> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String digits = matcher.group(1);
    long number = digits.length() > MOST_DIGITS ? TOO_LONG : Long.parseLong(digits);
    return Optional.of(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        });
  }

  /** The shortest text that {@link #parse} turns into this duration, down to milliseconds. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0 || millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 && seconds > 60 ? seconds / 60 + "m" : seconds + "s";
  }
}
