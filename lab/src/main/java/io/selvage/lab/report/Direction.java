package io.selvage.lab.report;

import io.selvage.lab.Metric;

/** Which of two values of one figure is the better one. */
enum Direction {
  LOWER("lower is better"),
  HIGHER("higher is better"),
  NEITHER("");

  private final String words;

  Direction(String words) {
    this.words = words;
  }

  static Direction of(Metric metric) {
    if (metric.lowerIsBetter()) {
      return LOWER;
    }
    return metric.higherIsBetter() ? HIGHER : NEITHER;
  }

  /** For people; "" if neither is better. */
  String words() {
    return words;
  }

  /** How many times worse a value is than another; below 1 if it is better. */
  double timesWorse(double value, double than) {
    return this == HIGHER ? than / value : value / than;
  }
}
