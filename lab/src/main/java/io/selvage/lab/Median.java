package io.selvage.lab;

import java.util.List;

/** The middle of a few values, and how far they lie apart. */
final class Median {
  private Median() {}

  /** The middle value, or the mean of the two middle ones. */
  static double of(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The greatest value less the smallest, as a part of the median; 0 for less than two values. */
  static double spread(List<Double> values) {
    if (values.size() < 2) {
      return 0;
    }
    double least = values.stream().min(Double::compare).orElseThrow();
    double most = values.stream().max(Double::compare).orElseThrow();
    double median = of(values);
    return median == 0 ? 0 : (most - least) / median;
  }
}
