package io.selvage.lab;

import java.util.Locale;

/**
 * One figure that an experiment yields.
 *
 * @param name its name in JSON, which ends in or begins with its unit
 * @param title a few words for the head of a column
 * @param unit what it is counted in
 * @param shown whether tables show it; the others are in the JSON only
 * @param description half a line
 */
public record Metric(String name, String title, Unit unit, boolean shown, String description) {

  /** What a figure is counted in, and so how it is written. */
  public enum Unit {
    /** Nanoseconds. */
    NANOSECONDS("ns"),
    /** Microseconds. */
    MICROSECONDS("µs"),
    /** Seconds. */
    SECONDS("s"),
    /** Bytes, few. */
    BYTES("bytes"),
    /** Bytes, many: shown as megabytes of a million bytes. */
    MEGABYTES("MB"),
    /** A number of things, where neither more nor less is better. */
    COUNT("");

    private final String symbol;

    Unit(String symbol) {
      this.symbol = symbol;
    }
  }

  /** The same figure, in the JSON only. */
  Metric hidden() {
    return new Metric(name, title, unit, false, description);
  }

  /**
   * Whether a small value is the better one. All figures of cost are so.
   *
   * @return false for mere counts
   */
  public boolean lowerIsBetter() {
    return unit != Unit.COUNT;
  }

  /**
   * Writes a value with its unit, with about three significant digits.
   *
   * @param value the value, in the unit of {@link #name}
   * @return for example {@code 27.4 ns}
   */
  public String format(double value) {
    if (unit == Unit.SECONDS && value < 1) {
      return String.format(Locale.ROOT, "%.1f ms", value * 1e3);
    }
    double scaled = unit == Unit.MEGABYTES ? value / 1e6 : value;
    String pattern;
    if (unit == Unit.COUNT || Math.abs(scaled) >= 100) {
      pattern = "%,.0f";
    } else if (Math.abs(scaled) >= 10 || unit == Unit.BYTES) {
      pattern = "%.1f";
    } else {
      pattern = "%.2f";
    }
    return (String.format(Locale.ROOT, pattern, scaled) + " " + unit.symbol).strip();
  }
}
