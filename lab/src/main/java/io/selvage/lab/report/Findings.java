package io.selvage.lab.report;

import io.selvage.lab.Contender;
import io.selvage.lab.Experiment;
import io.selvage.lab.Finding;
import io.selvage.lab.Metric;
import io.selvage.lab.Noise;
import io.selvage.lab.Plan;
import io.selvage.lab.Result;
import io.selvage.lab.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a report tells of: a plan and the results it gave.
 *
 * @param plan what was run
 * @param results what it gave, as far as it went
 * @param files where the results were read from; empty if they were measured just now
 */
public record Findings(Plan plan, List<Result> results, List<Path> files) {
  /** Holds copies of the lists. */
  public Findings {
    results = List.copyOf(results);
    files = List.copyOf(files);
  }

  /**
   * One experiment with one set of settings.
   *
   * @param experiment the experiment
   * @param settings its settings
   * @param label the experiment's name, and what tells it apart from its other trials
   * @param findings one for each runtime, in the order of the plan
   */
  record Trial(Experiment experiment, Settings settings, String label, List<Finding> findings) {}

  /** One for each measurement of the plan. */
  List<Trial> trials() {
    List<Trial> trials = new ArrayList<>();
    for (Plan.Measurement measurement : plan.measurements()) {
      Experiment experiment = measurement.experiment();
      List<Settings> all =
          plan.measurements().stream()
              .filter(other -> other.experiment().equals(experiment))
              .map(Plan.Measurement::settings)
              .toList();
      trials.add(
          new Trial(
              experiment,
              measurement.settings(),
              (experiment.name() + " " + measurement.settings().difference(all)).strip(),
              Finding.of(measurement, results)));
    }
    return trials;
  }

  /** The trials of each experiment, in the order of the plan. */
  Map<Experiment, List<Trial>> byExperiment() {
    Map<Experiment, List<Trial>> sorted = new LinkedHashMap<>();
    for (Trial trial : trials()) {
      sorted.computeIfAbsent(trial.experiment(), experiment -> new ArrayList<>()).add(trial);
    }
    return sorted;
  }

  List<Finding> all() {
    return trials().stream().flatMap(trial -> trial.findings().stream()).toList();
  }

  List<String> runtimes() {
    return plan.measurements().stream()
        .flatMap(measurement -> measurement.contenders().stream())
        .map(Contender::name)
        .distinct()
        .toList();
  }

  /** Whether it was ended before all had run. */
  boolean isInterrupted() {
    return files.isEmpty() && results.size() < plan.steps().size();
  }

  /** A warning if repeats of a figure that is shown lie far apart. */
  Optional<String> noise() {
    return Noise.of(all(), Metric::shown);
  }

  /**
   * The machines that the results come from.
   *
   * @return one line
   */
  public String machine() {
    return Environments.describe(this);
  }

  /**
   * The flags that all measured JVMs had.
   *
   * @return the flags; none if no JVM was measured
   */
  public List<String> flags() {
    return Environments.flags(results);
  }

  /**
   * How often each program ran.
   *
   * @return one sentence
   */
  public String runs() {
    if (isInterrupted()) {
      return "INTERRUPTED after " + results.size() + " of " + plan.steps().size() + " runs.";
    }
    List<Integer> counts =
        all().stream()
            .map(finding -> (int) finding.runs().stream().filter(Result::ok).count())
            .filter(count -> count > 0)
            .sorted()
            .distinct()
            .toList();
    if (counts.isEmpty()) {
      return "No program did its work.";
    }
    int least = counts.getFirst();
    int most = counts.getLast();
    if (most == 1) {
      return "Each program ran once.";
    }
    return least == most
        ? "Medians of " + most + " runs of each program."
        : "Medians of " + least + " to " + most + " runs of each program.";
  }
}
