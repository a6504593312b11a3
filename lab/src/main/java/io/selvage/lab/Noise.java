package io.selvage.lab;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Tells whether repeats of one figure lie so far apart that the figures are not to be trusted. */
public final class Noise {
  /** Repeats that differ by more than this part of their median are called noise. */
  private static final double MOST = 0.2;

  private Noise() {}

  /**
   * Names the figure, no mere count, that differed most between repeats, if one differed too much.
   *
   * @param findings what was measured
   * @param metrics which figures count
   * @return a warning, or empty if all were steady
   */
  public static Optional<String> of(List<Finding> findings, Predicate<Metric> metrics) {
    double widest = MOST;
    String where = "";
    for (Finding finding : findings) {
      for (Metric metric : finding.experiment().metrics()) {
        double spread = Median.spread(finding.values(metric));
        if (metrics.test(metric) && !metric.isCount() && spread > widest) {
          widest = spread;
          where = finding.experiment().name() + ", " + metric.title() + ", " + finding.runtime();
        }
      }
    }
    return where.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "NOISY: repeats of one figure differ by up to %.0f %% (%s). Let the machine rest,"
                    + " or give a higher --repeat.",
                widest * 100,
                where));
  }
}
