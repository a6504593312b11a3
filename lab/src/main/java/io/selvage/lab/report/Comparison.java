package io.selvage.lab.report;

import io.selvage.lab.Experiment;
import io.selvage.lab.Finding;
import io.selvage.lab.Metric;
import io.selvage.lab.Result;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Two runs side by side: what was measured with the same settings in both, and what a reader must
 * know before comparing.
 */
public final class Comparison {
  /** What differs by less than this part is called the same. */
  private static final double SAME = 0.05;

  /**
   * One figure of one runtime in both runs.
   *
   * @param trial the experiment, and its settings where it has several
   * @param runtime the runtime
   * @param figure what was measured
   * @param before the earlier median
   * @param after the later median, in the same unit
   * @param ratio the later one divided by the earlier one
   * @param verdict {@code better}, {@code worse}, {@code about the same} or {@code within the
   *     spread}; "" where neither more nor less is better
   */
  public record Row(
      String trial,
      String runtime,
      String figure,
      String before,
      String after,
      String ratio,
      String verdict) {}

  private final List<Row> rows = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();

  private Comparison() {}

  /**
   * Compares.
   *
   * @param before the earlier run
   * @param after the later run
   * @param figures which figures to compare, by experiment
   * @return both side by side
   */
  public static Comparison of(
      Findings before, Findings after, Function<Experiment, List<String>> figures) {
    Comparison comparison = new Comparison();
    comparison.environments(before, after);
    List<Finding> old = before.all();
    for (Findings.Trial trial : after.trials()) {
      for (Finding finding : trial.findings()) {
        matches(finding, old)
            .forEach(
                match -> comparison.add(trial, match, finding, figures.apply(trial.experiment())));
      }
      comparison.alone(trial, old, "was measured now, and not in the earlier run");
    }
    for (Findings.Trial trial : before.trials()) {
      comparison.alone(trial, after.all(), "was measured in the earlier run, and not now");
    }
    return comparison;
  }

  private void environments(Findings before, Findings after) {
    List<String> old = Environments.machines(before);
    List<String> now = Environments.machines(after);
    if (!old.equals(now)) {
      notes.add(
          "The machines differ, so that the ratios tell nothing of the programs: before "
              + Words.list(old)
              + "; now "
              + Words.list(now)
              + ".");
    }
    differ("JDKs", Words.list(Environments.jdks(before)), Words.list(Environments.jdks(after)));
  }

  private void differ(String what, String before, String after) {
    if (!before.equals(after)) {
      notes.add(
          "The "
              + what
              + " differ: before "
              + (before.isEmpty() ? "none" : before)
              + "; now "
              + (after.isEmpty() ? "none" : after)
              + ".");
    }
  }

  /** Tells once of all who were measured with settings that the other run does not have. */
  private void alone(Findings.Trial trial, List<Finding> others, String what) {
    List<String> alone =
        trial.findings().stream()
            .filter(finding -> !finding.isAbsent() && matches(finding, others).isEmpty())
            .map(Finding::runtime)
            .toList();
    if (!alone.isEmpty()) {
      notes.add(
          trial.experiment().name()
              + " "
              + trial.settings()
              + " "
              + what
              + ", on "
              + Words.list(alone)
              + ".");
    }
  }

  private void add(Findings.Trial trial, Finding before, Finding now, List<String> figures) {
    runtimes(before, now);
    for (String name : figures) {
      Metric metric = now.experiment().metric(name);
      if (Direction.of(metric) != Direction.NEITHER
          && before.median(metric).isPresent()
          && now.median(metric).isPresent()) {
        rows.add(row(trial.label(), metric, before, now));
      }
    }
    trouble(before, now);
  }

  /** Why there is no figure, where that is not said elsewhere. */
  private void trouble(Finding before, Finding now) {
    String then = before.isAbsent() ? "" : before.trouble().orElse("");
    String later = now.isAbsent() ? "" : now.trouble().orElse("");
    if (then.equals(later)) {
      if (!then.isEmpty()) {
        notes.add(described(now) + ", before and now: " + then);
      }
      return;
    }
    notes.add(
        described(now)
            + ", before: "
            + (before.trouble().isEmpty() ? "measured" : before.trouble().get())
            + "; now: "
            + (now.trouble().isEmpty() ? "measured" : now.trouble().get()));
  }

  private void runtimes(Finding before, Finding now) {
    List<String> then = flags(before);
    List<String> flags = flags(now);
    if (!then.isEmpty() && !flags.isEmpty()) {
      differ("JVM flags", Words.list(then), Words.list(flags));
    }
    differ("versions of " + now.runtime(), versions(before), versions(now));
    differ("settings of " + now.runtime(), settings(before), settings(now));
  }

  private static List<String> flags(Finding finding) {
    return Environments.flags(finding.runs()).isEmpty()
        ? List.of()
        : List.of(String.join(" ", Environments.flags(finding.runs())));
  }

  private static String versions(Finding finding) {
    return joined(finding, Result::version);
  }

  private static String settings(Finding finding) {
    return joined(finding, Environments::settings);
  }

  private static String joined(Finding finding, Function<Result, String> text) {
    return Words.list(finding.runs().stream().map(text).distinct().toList());
  }

  private static Row row(String trial, Metric metric, Finding before, Finding now) {
    double old = before.median(metric).orElseThrow();
    double median = now.median(metric).orElseThrow();
    Metric.Scale scale = metric.scale(List.of(old, median));
    return new Row(
        trial,
        now.runtime(),
        metric.title(),
        metric.format(old, scale),
        metric.format(median, scale),
        old == 0 ? "–" : Words.factor(median / old),
        verdict(metric, before, now));
  }

  private static String verdict(Metric metric, Finding before, Finding now) {
    boolean overlap =
        before.range(metric).flatMap(range -> now.range(metric).map(range::overlaps)).orElse(false);
    if (overlap) {
      return "within the spread";
    }
    double old = before.median(metric).orElseThrow();
    double median = now.median(metric).orElseThrow();
    if (Math.abs(median - old) <= SAME * Math.abs(old)) {
      return "about the same";
    }
    return Direction.of(metric).timesWorse(median, old) > 1 ? "worse" : "better";
  }

  private static List<Finding> matches(Finding finding, List<Finding> all) {
    return all.stream()
        .filter(other -> other.experiment().equals(finding.experiment()))
        .filter(other -> other.settings().equals(finding.settings()))
        .filter(other -> other.runtime().equals(finding.runtime()))
        .toList();
  }

  private static String described(Finding finding) {
    return finding.runtime() + " in " + finding.experiment().name() + " " + finding.settings();
  }

  /**
   * The figures that both runs have.
   *
   * @return in the order of the later run
   */
  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /**
   * What differs between the runs beside the figures.
   *
   * @return one sentence each
   */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * For a terminal.
   *
   * @return lines, each ending in a line feed
   */
  public String render() {
    List<List<String>> lines =
        Stream.concat(
                Stream.of(List.of("", "", "", "before", "now", "now/before", "")),
                rows.stream()
                    .map(row ->
                        List.of(
                            row.trial(),
                            row.runtime(),
                            row.figure(),
                            row.before(),
                            row.after(),
                            row.ratio(),
                            row.verdict())))
            .toList();
    StringBuilder text = new StringBuilder("Compared with an earlier run\n\n");
    if (rows.isEmpty()) {
      text.append("Nothing was measured with the same settings in both.\n");
    } else {
      int[] widths = new int[lines.getFirst().size()];
      lines.forEach(line -> {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], line.get(i).length());
        }
      });
      for (List<String> line : lines) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
          String blanks = " ".repeat(widths[i] - line.get(i).length());
          boolean number = i > 2 && i < widths.length - 1;
          row.append(i == 0 ? "" : "  ")
              .append(number ? blanks + line.get(i) : line.get(i) + blanks);
        }
        text.append(row.toString().stripTrailing()).append('\n');
      }
    }
    notes.forEach(note -> text.append(note).append('\n'));
    return text.toString();
  }
}
