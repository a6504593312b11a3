package io.selvage.lab;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What is known of one runtime in one experiment with one set of settings: all its runs.
 *
 * @param experiment the experiment
 * @param settings its settings
 * @param runtime the name of the runtime
 * @param runs its results in the order in which they were made; none if it has not been run
 */
public record Finding(Experiment experiment, Settings settings, String runtime, List<Result> runs) {
  /** Holds a copy of the list. */
  public Finding {
    runs = List.copyOf(runs);
  }

  /**
   * What results tell of everybody who took part in a measurement.
   *
   * @param measurement the measurement
   * @param results results of this and of others
   * @return one for each contender, in their order
   */
  public static List<Finding> of(Plan.Measurement measurement, List<Result> results) {
    return measurement.contenders().stream()
        .map(contender -> of(measurement, contender.name(), results))
        .toList();
  }

  private static Finding of(Plan.Measurement measurement, String runtime, List<Result> results) {
    return new Finding(
        measurement.experiment(),
        measurement.settings(),
        runtime,
        results.stream()
            .filter(result -> result.runtime().equals(runtime))
            .filter(result -> result.isOf(measurement.experiment(), measurement.settings()))
            .toList());
  }

  /**
   * Why there is no figure, for people: the first failure; or the first refusal, if there was
   * nothing else.
   *
   * @return empty if all went well, or nothing has been run
   */
  public Optional<String> trouble() {
    return runs.stream()
        .filter(run -> run.error() != null)
        .findFirst()
        .flatMap(Result::trouble)
        .or(() ->
            runs.stream().anyMatch(Result::ok)
                ? Optional.empty()
                : runs.stream().flatMap(run -> run.trouble().stream()).findFirst());
  }

  /**
   * Whether the runtime cannot run on this machine at all.
   *
   * @return true if that is all there is to tell
   */
  public boolean isAbsent() {
    return !runs.isEmpty() && runs.stream().allMatch(Result::isAbsent);
  }

  /**
   * The values of one figure.
   *
   * @param metric the figure
   * @return one for each run that has it; none if there is {@link #trouble}
   */
  public List<Double> values(Metric metric) {
    return trouble().isPresent()
        ? List.of()
        : runs.stream()
            .flatMap(run -> Stream.ofNullable(run.metrics().get(metric.name())))
            .toList();
  }

  /**
   * The middle value of one figure.
   *
   * @param metric the figure
   * @return its median, or empty if there is no value
   */
  public OptionalDouble median(Metric metric) {
    List<Double> values = values(metric);
    return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Median.of(values));
  }

  /**
   * How far the values of one figure lie apart.
   *
   * @param metric the figure
   * @return the least and the greatest; empty for fewer than two values
   */
  public Optional<Range> range(Metric metric) {
    List<Double> values = values(metric);
    return values.size() < 2
        ? Optional.empty()
        : Optional.of(
            new Range(
                values.stream().min(Double::compare).orElseThrow(),
                values.stream().max(Double::compare).orElseThrow()));
  }

  /**
   * What a reader must know to read the figures.
   *
   * @return the end of a sentence that begins with the runtime; or empty
   */
  public Optional<String> remark() {
    return runs.stream()
        .filter(Result::ok)
        .flatMap(run -> experiment.remark(settings, run.metrics()).stream())
        .findFirst();
  }

  /**
   * Where the values of repeats lie.
   *
   * @param least the smallest
   * @param most the greatest
   */
  public record Range(double least, double most) {
    /**
     * The least and the greatest value with one unit behind both.
     *
     * @param metric the figure
     * @param scale the unit
     * @return for example {@code 26.9–28.1 ns}; empty if both read the same
     */
    public Optional<String> text(Metric metric, Metric.Scale scale) {
      String from = metric.format(least, scale);
      String to = metric.format(most, scale);
      int unit = from.indexOf(' ');
      return from.equals(to)
          ? Optional.empty()
          : Optional.of((unit < 0 ? from : from.substring(0, unit)) + "–" + to);
    }

    /**
     * Whether two ranges have something in common.
     *
     * @param other the other one
     * @return true if there is a value that is in both
     */
    public boolean overlaps(Range other) {
      return least <= other.most && other.least <= most;
    }
  }
}
