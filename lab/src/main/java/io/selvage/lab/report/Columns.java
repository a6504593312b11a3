package io.selvage.lab.report;

import io.selvage.lab.Experiment;
import io.selvage.lab.Finding;
import io.selvage.lab.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which figures a report's tables show, and how they are written. */
final class Columns {
  private static final String COLD = "_cold";

  private Columns() {}

  /** The figures that tables show, each cold one beside its warm one. */
  static List<Metric> of(Experiment experiment) {
    List<Metric> columns = new ArrayList<>();
    for (Metric metric : experiment.metrics()) {
      if (metric.shown() && !metric.name().endsWith(COLD)) {
        columns.add(metric);
        experiment.metrics().stream()
            .filter(other -> other.name().equals(metric.name() + COLD))
            .forEach(columns::add);
      }
    }
    experiment.metrics().stream()
        .filter(metric -> metric.shown() && !columns.contains(metric))
        .forEach(columns::add);
    return columns;
  }

  /** The median, in the unit of its column. */
  static String median(Finding finding, Metric metric, Findings.Trial trial) {
    return finding.median(metric).isPresent()
        ? metric.format(finding.median(metric).getAsDouble(), scale(metric, trial))
        : "not available";
  }

  /** Where the repeats lie, if they differ. */
  static Optional<String> range(Finding finding, Metric metric, Findings.Trial trial) {
    return finding.range(metric).flatMap(range -> range.text(metric, scale(metric, trial)));
  }

  private static Metric.Scale scale(Metric metric, Findings.Trial trial) {
    return metric.scale(
        trial.findings().stream()
            .flatMapToDouble(finding -> finding.median(metric).stream())
            .boxed()
            .toList());
  }
}
