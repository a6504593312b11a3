package io.selvage.lab.report;

import io.selvage.lab.Experiment;
import io.selvage.lab.Finding;
import io.selvage.lab.Metric;
import io.selvage.lab.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.jr.ob.JSON;

/**
 * What the chart of one experiment shows: its first figure, as one bar for each runtime; or, where
 * the same runtimes were measured with several values of one number, as lines over that number with
 * log axes, which is how the memory of a million concurrent tasks became known.
 *
 * @param kind {@code bar} or {@code line}
 * @param caption what is drawn, for people
 * @param data what the page's script draws, as JSON
 */
record Chart(String kind, String caption, String data) {
  /** Figures that span more than this are drawn on a log axis. */
  private static final double LINEAR = 100;

  /** The chart of one experiment; empty if there is no figure to draw. */
  static Optional<Chart> of(Experiment experiment, List<Findings.Trial> trials) {
    Metric metric = experiment.metrics().getFirst();
    List<Double> medians =
        trials.stream()
            .flatMap(trial -> trial.findings().stream())
            .flatMapToDouble(finding -> finding.median(metric).stream())
            .boxed()
            .toList();
    if (medians.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> data = new LinkedHashMap<>();
    Metric.Scale scale = metric.scale(medians);
    String title = metric.title() + (scale.symbol().isEmpty() ? "" : ", " + scale.symbol());
    data.put("title", title);
    data.put("unit", scale.symbol());
    Optional<String> number = number(experiment, metric, trials);
    return Optional.of(
        number.isPresent()
            ? lines(data, metric, scale, number.get(), trials)
            : bars(data, metric, scale, medians, trials));
  }

  private static Chart bars(
      Map<String, Object> data,
      Metric metric,
      Metric.Scale scale,
      List<Double> medians,
      List<Findings.Trial> trials) {
    double least = medians.stream().min(Double::compare).orElseThrow();
    double most = medians.stream().max(Double::compare).orElseThrow();
    boolean log = least > 0 && most / least > LINEAR;
    List<Map<String, Object>> bars = new ArrayList<>();
    for (Findings.Trial trial : trials) {
      String with = trial.label().substring(trial.experiment().name().length()).strip();
      for (Ranking.Place place : Ranking.of(trial.experiment(), trial.findings()).places()) {
        Map<String, Object> bar = new LinkedHashMap<>();
        String name = place.finding().runtime();
        bar.put("name", with.isEmpty() ? name : name + " (" + with + ")");
        bar.put("own", isOwn(name));
        bar.put("value", metric.scaled(place.median(), scale));
        bar.put("text", metric.format(place.median(), scale));
        bars.add(bar);
      }
    }
    data.put("kind", "bar");
    data.put("log", log);
    data.put("bars", bars);
    return new Chart(
        "bar",
        caption(metric, scale) + " of each runtime" + (log ? ", on a logarithmic axis" : ""),
        json(data));
  }

  private static Chart lines(
      Map<String, Object> data,
      Metric metric,
      Metric.Scale scale,
      String number,
      List<Findings.Trial> trials) {
    Map<String, List<List<Object>>> lines = new LinkedHashMap<>();
    for (Findings.Trial trial : trials) {
      for (Finding finding : trial.findings()) {
        finding
            .median(metric)
            .ifPresent(median ->
                lines
                    .computeIfAbsent(finding.runtime(), name -> new ArrayList<>())
                    .add(
                        List.of(
                            trial.settings().count(number),
                            metric.scaled(median, scale),
                            metric.format(median, scale))));
      }
    }
    data.put("kind", "line");
    data.put("number", number);
    data.put(
        "lines",
        lines.entrySet().stream()
            .map(line ->
                Map.of(
                    "name", line.getKey(), "own", isOwn(line.getKey()), "points", line.getValue()))
            .toList());
    return new Chart(
        "line",
        caption(metric, scale)
            + " of each runtime over the number of "
            + number
            + ", on"
            + " logarithmic axes",
        json(data));
  }

  private static String caption(Metric metric, Metric.Scale scale) {
    String title =
        metric.title().substring(0, 1).toUpperCase(Locale.ROOT) + metric.title().substring(1);
    String words = Direction.of(metric).words();
    return title
        + (scale.symbol().isEmpty() ? "" : " in " + scale.symbol())
        + (words.isEmpty() ? "" : " (" + words + ")");
  }

  /** The one number in which trials differ, if at least one runtime was measured at two of them. */
  private static Optional<String> number(
      Experiment experiment, Metric metric, List<Findings.Trial> trials) {
    List<String> differing =
        experiment.parameters().stream()
            .filter(parameter -> values(parameter, trials).distinct().count() > 1)
            .map(Parameter::name)
            .toList();
    boolean number =
        differing.size() == 1
            && experiment.parameters().stream()
                .filter(parameter -> parameter.name().equals(differing.getFirst()))
                .allMatch(Parameter.Count.class::isInstance);
    boolean shared =
        trials.stream()
            .flatMap(trial -> trial.findings().stream())
            .filter(finding -> finding.median(metric).isPresent())
            .collect(Collectors.groupingBy(Finding::runtime))
            .values()
            .stream()
            .anyMatch(findings -> findings.size() > 1);
    return number && shared ? Optional.of(differing.getFirst()) : Optional.empty();
  }

  private static Stream<Object> values(Parameter parameter, List<Findings.Trial> trials) {
    return trials.stream().map(trial -> trial.settings().asJson().get(parameter.name()));
  }

  /** Selvage's own runtimes are drawn in a colour of their own. */
  static boolean isOwn(String runtime) {
    return runtime.startsWith("selvage");
  }

  private static String json(Map<String, Object> data) {
    return JSON.std.asString(data);
  }
}
