package io.selvage.lab;

import java.util.Arrays;
import java.util.List;
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

  /** What a figure is counted in. People see it in whatever unit of the same kind fits. */
  public enum Unit {
    /** Nanoseconds. */
    NANOSECONDS(Kind.TIME, 1),
    /** Microseconds. */
    MICROSECONDS(Kind.TIME, 1e3),
    /** Milliseconds. */
    MILLISECONDS(Kind.TIME, 1e6),
    /** Seconds. */
    SECONDS(Kind.TIME, 1e9),
    /** Bytes. */
    BYTES(Kind.SIZE, 1),
    /** Things done in a second, where more is better. */
    PER_SECOND(Kind.RATE, 1),
    /** Hundredths of what there could be, where more is better. */
    PERCENT(Kind.SHARE, 1),
    /** A number of things, where neither more nor less is better. */
    COUNT(Kind.COUNT, 1);

    private final Kind kind;
    private final double factor;

    Unit(Kind kind, double factor) {
      this.kind = kind;
      this.factor = factor;
    }
  }

  private enum Kind {
    TIME,
    SIZE,
    RATE,
    SHARE,
    COUNT
  }

  /**
   * A unit as people see it. A column has one for all its figures, so that they can be compared at
   * a glance.
   *
   * @param symbol what is written behind the figure
   * @param size how many of the smallest unit of its kind it is
   */
  public record Scale(String symbol, double size) {
    private static final List<Scale> TIMES =
        List.of(
            new Scale("ns", 1), new Scale("µs", 1e3), new Scale("ms", 1e6), new Scale("s", 1e9));

    private static final List<Scale> SIZES =
        List.of(
            new Scale("bytes", 1),
            new Scale("kB", 1e3),
            new Scale("MB", 1e6),
            new Scale("GB", 1e9));

    private static final List<Scale> RATES =
        List.of(
            new Scale("/s", 1),
            new Scale("k/s", 1e3),
            new Scale("M/s", 1e6),
            new Scale("G/s", 1e9));

    private static final List<Scale> SHARES = List.of(new Scale("%", 1));

    private static final List<Scale> COUNTS = List.of(new Scale("", 1));

    /** Figures of this many digits and more are no longer read, but counted through. */
    private static final double TOO_LARGE = 1e6;

    /**
     * The largest unit in which the smallest value is still at least 1; a larger one if otherwise
     * the greatest would be a million or more.
     */
    private static Scale of(Kind kind, double least, double most) {
      List<Scale> scales =
          switch (kind) {
            case TIME -> TIMES;
            case SIZE -> SIZES;
            case RATE -> RATES;
            case SHARE -> SHARES;
            case COUNT -> COUNTS;
          };
      Scale chosen = scales.getFirst();
      for (Scale scale : scales) {
        if (least >= scale.size || most / chosen.size >= TOO_LARGE) {
          chosen = scale;
        }
      }
      return chosen;
    }
  }

  /** The same figure, in the JSON only. */
  Metric hidden() {
    return new Metric(name, title, unit, false, description);
  }

  /**
   * Whether a small value is the better one. All figures of cost are so.
   *
   * @return false for rates and mere counts
   */
  public boolean lowerIsBetter() {
    return !higherIsBetter() && !isCount();
  }

  /**
   * Whether a great value is the better one. All rates and shares are so.
   *
   * @return false for figures of cost and mere counts
   */
  public boolean higherIsBetter() {
    return unit.kind == Kind.RATE || unit.kind == Kind.SHARE;
  }

  /**
   * Whether it only shows that the work was done.
   *
   * @return true if neither a small nor a great value is better
   */
  public boolean isCount() {
    return unit.kind == Kind.COUNT;
  }

  /**
   * Writes a value with its unit, with about three significant digits.
   *
   * @param value the value, in the unit of {@link #name}
   * @return for example {@code 27.4 ns}
   */
  public String format(double value) {
    return format(value, scale(List.of(value)));
  }

  /**
   * The unit that fits a whole column.
   *
   * @param values all its figures, in the unit of {@link #name}
   * @return the unit
   */
  public Scale scale(List<Double> values) {
    double[] sizes = values.stream().mapToDouble(value -> Math.abs(value * unit.factor)).toArray();
    return Scale.of(
        unit.kind,
        Arrays.stream(sizes).filter(size -> size > 0).min().orElse(0),
        Arrays.stream(sizes).max().orElse(0));
  }

  /**
   * The same as {@link #format(double)} in a given unit.
   *
   * @param value the value, in the unit of {@link #name}
   * @param scale the unit
   * @return for example {@code 27.4 ns}
   */
  public String format(double value, Scale scale) {
    double scaled = scaled(value, scale);
    String pattern;
    if (unit == Unit.COUNT || scale.symbol.equals("bytes") || Math.abs(scaled) >= 99.95) {
      pattern = "%,.0f";
    } else if (Math.abs(scaled) >= 9.995) {
      pattern = "%.1f";
    } else {
      pattern = "%." + decimals(Math.abs(scaled)) + "f";
    }
    return (String.format(Locale.ROOT, pattern, scaled) + " " + scale.symbol).strip();
  }

  /**
   * A value as a number of a given unit.
   *
   * @param value the value, in the unit of {@link #name}
   * @param scale the unit
   * @return how many of that unit it is
   */
  public double scaled(double value, Scale scale) {
    return value * unit.factor / scale.size;
  }

  /** Two, or as many as show two digits of what is very small. */
  private static int decimals(double value) {
    return value == 0 ? 2 : Math.max(2, 1 - (int) Math.floor(Math.log10(value)));
  }
}
