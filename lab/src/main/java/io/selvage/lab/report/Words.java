package io.selvage.lab.report;

import java.util.List;
import java.util.Locale;

/** Small parts of sentences. */
final class Words {
  private static final double NEARLY = 1.05;

  private Words() {}

  /** {@code a, b and c}. */
  static String list(List<String> words) {
    return words.size() < 2
        ? String.join("", words)
        : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
  }

  /** {@code 1 runtime}, {@code 3 runtimes}. */
  static String count(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  /** {@code 1.3}, {@code 12}, {@code 1,200}. */
  static String factor(double factor) {
    if (!Double.isFinite(factor)) {
      return "∞";
    }
    return String.format(
        Locale.ROOT, factor >= 9.95 ? "%,.0f" : factor >= 0.0995 ? "%.2f" : "%.3g", factor);
  }

  /** How a figure compares with the best one, as the end of a sentence. */
  static String worse(Direction direction, double times) {
    if (times < NEARLY) {
      return "nearly the same";
    }
    return switch (direction) {
      case LOWER, NEITHER -> factor(times) + " times as much";
      case HIGHER -> factor(times) + " times less";
    };
  }
}
