package io.selvage.lab.report;

import io.selvage.lab.Experiment;
import io.selvage.lab.Finding;
import io.selvage.lab.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tables of a report in GitHub's markdown, for issues and READMEs. */
public final class Markdown {
  private final StringBuilder text = new StringBuilder();

  private Markdown() {}

  /**
   * Writes a table for each experiment, what each was about, and what is needed to repeat it.
   *
   * @param findings what was measured
   * @param comparison the same beside an earlier run, if that is wanted
   * @return lines, each ending in a line feed
   */
  public static String of(Findings findings, Optional<Comparison> comparison) {
    Markdown markdown = new Markdown();
    Summary summary = Summary.of(findings);
    markdown.line(escaped(summary.overview()));
    for (Findings.Trial trial : findings.trials()) {
      if (!trial.findings().stream().allMatch(Finding::isAbsent)) {
        markdown.add(trial);
      }
    }
    comparison.ifPresent(markdown::add);
    List<String> notes = new ArrayList<>(summary.warnings());
    notes.addAll(summary.absences());
    if (!notes.isEmpty()) {
      markdown.line("");
      notes.forEach(note -> markdown.line("* " + escaped(note)));
    }
    return markdown.text.toString();
  }

  private void add(Findings.Trial trial) {
    Experiment experiment = trial.experiment();
    line("");
    line("**" + escaped(trial.label()) + "**: " + escaped(experiment.summary()));
    line("");
    List<Metric> metrics = Columns.of(experiment);
    row(
        "runtime",
        metrics.stream()
            .map(metric -> {
              String words = Direction.of(metric).words();
              return escaped(metric.title()) + (words.isEmpty() ? "" : " (" + words + ")");
            })
            .toList());
    row("---", metrics.stream().map(metric -> "---:").toList());
    List<Finding> ranked =
        Ranking.of(experiment, trial.findings()).places().stream()
            .map(Ranking.Place::finding)
            .toList();
    ranked.forEach(finding -> row(escaped(finding.runtime()), cells(finding, metrics, trial)));
    List<String> notes = new ArrayList<>();
    for (Finding finding : trial.findings()) {
      if (!ranked.contains(finding) && !finding.isAbsent()) {
        String trouble = finding.trouble().orElse("not run");
        int colon = trouble.indexOf(':');
        List<String> cells = new ArrayList<>();
        cells.add(colon < 0 ? trouble : trouble.substring(0, colon));
        metrics.stream().skip(1).forEach(metric -> cells.add(""));
        row(escaped(finding.runtime()), cells);
        finding.trouble().ifPresent(words -> notes.add(finding.runtime() + " " + words));
      }
      finding.remark().ifPresent(remark -> notes.add(finding.runtime() + " " + remark));
    }
    if (!notes.isEmpty()) {
      line("");
      notes.forEach(note -> line("* " + escaped(note)));
    }
    line("");
    line("`" + Commands.of(trial).replace("`", "") + "`");
  }

  private static List<String> cells(Finding finding, List<Metric> metrics, Findings.Trial trial) {
    return metrics.stream()
        .map(metric ->
            Columns.median(finding, metric, trial)
                + Columns.range(finding, metric, trial)
                    .map(range -> "<br><sub>" + range + "</sub>")
                    .orElse(""))
        .toList();
  }

  private void add(Comparison comparison) {
    line("");
    line("**Compared with an earlier run**");
    line("");
    if (!comparison.rows().isEmpty()) {
      row("experiment", List.of("runtime", "figure", "before", "now", "now/before", ""));
      row("---", List.of("---", "---", "---:", "---:", "---:", "---"));
      for (Comparison.Row row : comparison.rows()) {
        row(
            escaped(row.trial()),
            List.of(
                escaped(row.runtime()),
                escaped(row.figure()),
                row.before(),
                row.after(),
                row.ratio(),
                row.verdict()));
      }
      line("");
    }
    comparison.notes().forEach(note -> line("* " + escaped(note)));
  }

  private void row(String first, List<String> others) {
    line("| " + first + " | " + String.join(" | ", others) + " |");
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  /** A text that says in markdown what it says: no markup, no new cell, no new line. */
  private static String escaped(String text) {
    return text.replaceAll("\\s+", " ")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replaceAll("([\\\\`*_|\\[\\]~])", "\\\\$1");
  }
}
