package io.selvage.lab.report;

import io.selvage.lab.Experiment;
import io.selvage.lab.Finding;
import io.selvage.lab.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who came where by the first figure of an experiment. Only runtimes that were measured with the
 * same settings are ranked with each other.
 *
 * @param metric the figure
 * @param direction which value is the better one
 * @param places the best first; empty if nobody was measured
 */
record Ranking(Metric metric, Direction direction, List<Place> places) {
  /**
   * One runtime's place.
   *
   * @param rank from 1
   * @param finding the runtime and its runs
   * @param median the figure
   * @param timesWorse how many times worse it is than the first
   * @param close whether its repeats and those of the one before it overlap
   */
  record Place(int rank, Finding finding, double median, double timesWorse, boolean close) {}

  static Ranking of(Experiment experiment, List<Finding> findings) {
    Metric metric = experiment.metrics().getFirst();
    Direction direction = Direction.of(metric);
    List<Finding> sorted =
        findings.stream()
            .filter(finding -> finding.median(metric).isPresent())
            .sorted(
                Comparator.comparingDouble(
                    finding -> direction.timesWorse(finding.median(metric).orElseThrow(), 1)))
            .toList();
    List<Place> places = new ArrayList<>();
    for (Finding finding : sorted) {
      double median = finding.median(metric).orElseThrow();
      double first = places.isEmpty() ? median : places.getFirst().median();
      places.add(
          new Place(
              places.size() + 1,
              finding,
              median,
              median == first ? 1 : direction.timesWorse(median, first),
              !places.isEmpty() && overlap(metric, places.getLast().finding(), finding)));
    }
    return new Ranking(metric, direction, List.copyOf(places));
  }

  private static boolean overlap(Metric metric, Finding a, Finding b) {
    return a.range(metric).flatMap(range -> b.range(metric).map(range::overlaps)).orElse(false);
  }

  /** One unit for all places. */
  Metric.Scale scale() {
    return metric.scale(places.stream().map(Place::median).toList());
  }

  String format(Place place) {
    return metric.format(place.median(), scale());
  }
}
