package io.selvage.lab.report;

import io.selvage.lab.Finding;
import io.selvage.lab.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The commands that measure again what was measured. */
final class Commands {
  private Commands() {}

  /** What repeats one trial with all its runtimes. */
  static String of(Findings.Trial trial) {
    List<Result> runs =
        trial.findings().stream().flatMap(finding -> finding.runs().stream()).toList();
    int repeats = trial.findings().stream().mapToInt(one -> one.runs().size()).max().orElse(1);
    List<String> words = new ArrayList<>(List.of("./selvage", "lab", trial.experiment().name()));
    if (!trial.settings().values().isEmpty()) {
      words.add(trial.settings().toString());
    }
    words.add("--runtime");
    words.add(
        trial.findings().stream()
            .filter(finding -> !finding.isAbsent())
            .map(Finding::runtime)
            .collect(Collectors.joining(",")));
    if (repeats > 1) {
      words.add("--repeat");
      words.add(Integer.toString(repeats));
    }
    List<String> flags = Environments.flags(runs);
    if (!flags.isEmpty()) {
      words.add("--jvm-flags");
      words.add("\"" + String.join(" ", flags) + "\"");
    }
    return String.join(" ", words);
  }
}
