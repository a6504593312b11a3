package io.selvage.lab.report;

import io.selvage.lab.Finding;
import io.selvage.lab.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was found, in words.
 *
 * @param overview what was measured, and on which machine
 * @param places who came where, one for each trial
 * @param failures who failed or was refused, one sentence each
 * @param absences who cannot run on this machine, one sentence each
 * @param warnings what a reader should know before believing the figures
 */
record Summary(
    String overview,
    List<Place> places,
    List<String> failures,
    List<String> absences,
    List<String> warnings) {
  /** More than these are left to the table. */
  private static final int NAMED = 4;

  /**
   * Who came where.
   *
   * @param trial the experiment, and its settings where it has several
   * @param words the rest of the sentence
   */
  record Place(String trial, String words) {}

  static Summary of(Findings findings) {
    List<Place> places = new ArrayList<>();
    Set<String> failures = new LinkedHashSet<>();
    Map<String, String> absences = new LinkedHashMap<>();
    for (Findings.Trial trial : findings.trials()) {
      if (!trial.findings().stream().allMatch(Finding::isAbsent)) {
        places.add(new Place(trial.label(), places(trial)));
      }
      for (Finding finding : trial.findings()) {
        if (finding.isAbsent()) {
          absences.putIfAbsent(
              finding.runtime(), finding.runtime() + " is " + finding.trouble().orElseThrow());
        } else {
          finding
              .trouble()
              .ifPresent(trouble ->
                  failures.add(finding.runtime() + " in " + trial.label() + " " + trouble));
        }
      }
    }
    return new Summary(
        overview(findings),
        List.copyOf(places),
        List.copyOf(failures),
        List.copyOf(absences.values()),
        warnings(findings));
  }

  private static String overview(Findings findings) {
    int experiments = findings.byExperiment().size();
    List<String> measured =
        findings.results().stream().filter(Result::ok).map(Result::runtime).distinct().toList();
    return Words.count(experiments, "experiment")
        + " on "
        + Words.count(measured.size(), "runtime")
        + ", measured on "
        + Environments.describe(findings)
        + ". "
        + findings.runs();
  }

  private static String places(Findings.Trial trial) {
    Ranking ranking = Ranking.of(trial.experiment(), trial.findings());
    String head =
        " ("
            + ranking.metric().title()
            + (ranking.direction().words().isEmpty() ? "" : ", " + ranking.direction().words())
            + "): ";
    if (ranking.places().isEmpty()) {
      return head + "nobody was measured.";
    }
    Ranking.Place first = ranking.places().getFirst();
    String name = first.finding().runtime();
    if (ranking.places().size() == 1) {
      return head + "only " + name + " was measured, with " + ranking.format(first) + ".";
    }
    List<Ranking.Place> behind = ranking.places().subList(1, ranking.places().size());
    int named = behind.size() <= NAMED ? behind.size() : NAMED - 1;
    List<String> others =
        new ArrayList<>(behind.stream().limit(named).map(place -> behind(ranking, place)).toList());
    String rest = "";
    if (named < behind.size()) {
      int between = behind.size() - named - 1;
      rest =
          "; last of "
              + ranking.places().size()
              + (between == 0 ? "" : ", with " + between + " between,")
              + " "
              + behind(ranking, behind.getLast());
    }
    return head
        + name
        + " came first with "
        + ranking.format(first)
        + ", ahead of "
        + Words.list(others)
        + rest
        + ".";
  }

  private static String behind(Ranking ranking, Ranking.Place place) {
    return place.finding().runtime()
        + " with "
        + ranking.format(place)
        + " ("
        + Words.worse(ranking.direction(), place.timesWorse())
        + (place.close() ? "; within the spread of the one before" : "")
        + ")";
  }

  private static List<String> warnings(Findings findings) {
    List<String> warnings = new ArrayList<>();
    findings.noise().ifPresent(warnings::add);
    List<String> machines = Environments.machines(findings);
    if (machines.size() > 1) {
      warnings.add(
          "The results come from "
              + machines.size()
              + " machines, so that figures of one must not be compared with those of another: "
              + Words.list(machines)
              + ".");
    }
    if (findings.isInterrupted()) {
      warnings.add("The run was ended before all had been measured: what is missing is not run.");
    }
    return List.copyOf(warnings);
  }
}
