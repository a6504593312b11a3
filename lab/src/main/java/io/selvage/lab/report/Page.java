package io.selvage.lab.report;

import com.samskivert.mustache.Mustache;
import io.selvage.lab.Experiment;
import io.selvage.lab.Finding;
import io.selvage.lab.Metric;
import io.selvage.lab.Result;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The page of {@code --report}: one file that needs nothing beside it, no network either. The
 * template {@code page.mustache} gives it its form and escapes every text; style and scripts are
 * files beside it and go into the page as they are.
 */
public final class Page {
  /** In the head of every page: by this line a report folder is known as one of the lab's. */
  static final String MARK = "<meta name=\"generator\" content=\"Selvage lab\">";

  private static final DateTimeFormatter MADE =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private Page() {}

  /** All that the template shows. */
  record View(
      String made,
      Summary summary,
      boolean troubled,
      List<Section> sections,
      Compared compared,
      List<Setup> runtimes,
      List<Fact> environment,
      List<String> commands,
      String style,
      String charts,
      String script) {}

  /** One experiment. */
  record Section(String id, String title, String summary, List<Chart> chart, List<Trial> trials) {}

  /** One table. */
  record Trial(
      String id,
      String title,
      String settings,
      List<Column> columns,
      List<Row> rows,
      List<Blank> blanks,
      List<String> notes,
      String command) {}

  /** A figure of a table. */
  record Column(String title, String direction, String description) {}

  /** A runtime that was measured. */
  record Row(int rank, String runtime, boolean own, String times, List<Cell> cells) {}

  /** A median and where the repeats lie, or "". */
  record Cell(String median, String range) {}

  /** A runtime without figures, and why. */
  record Blank(String runtime, boolean own, int span, String reason) {}

  /** Two runs side by side; not shown if there is no other. */
  record Compared(boolean wanted, List<Comparison.Row> rows, List<String> notes) {}

  /** A runtime with what it was and how it was set up. */
  record Setup(String name, String version, String settings, String flags) {}

  /** One thing about the machine. */
  record Fact(String name, String value) {}

  /**
   * Writes the page.
   *
   * @param findings what it tells of
   * @param comparison the same beside an earlier run, if that is wanted
   * @param typed the command that was typed
   * @param made when
   * @return HTML
   */
  public static String of(
      Findings findings, Optional<Comparison> comparison, String typed, Instant made) {
    Summary summary = Summary.of(findings);
    View view =
        new View(
            MADE.format(made),
            summary,
            !summary.failures().isEmpty() || !summary.absences().isEmpty(),
            sections(findings),
            new Compared(
                comparison.isPresent(),
                comparison.map(Comparison::rows).orElse(List.of()),
                comparison.map(Comparison::notes).orElse(List.of())),
            runtimes(findings),
            environment(findings),
            List.of(typed),
            resource("page.css"),
            resource("echarts.common.min.js"),
            resource("page.js"));
    return Mustache.compiler().compile(resource("page.mustache")).execute(view);
  }

  private static List<Section> sections(Findings findings) {
    List<Section> sections = new ArrayList<>();
    for (Map.Entry<Experiment, List<Findings.Trial>> entry : findings.byExperiment().entrySet()) {
      Experiment experiment = entry.getKey();
      List<Findings.Trial> trials =
          entry.getValue().stream()
              .filter(trial -> !trial.findings().stream().allMatch(Finding::isAbsent))
              .toList();
      if (!trials.isEmpty()) {
        sections.add(
            new Section(
                experiment.name(),
                experiment.name(),
                experiment.summary(),
                Chart.of(experiment, trials).stream().toList(),
                trials.stream().map(trial -> trial(trial, trials.indexOf(trial))).toList()));
      }
    }
    return sections;
  }

  private static Trial trial(Findings.Trial trial, int index) {
    Experiment experiment = trial.experiment();
    List<Metric> metrics = Columns.of(experiment);
    Ranking ranking = Ranking.of(experiment, trial.findings());
    List<Row> rows = new ArrayList<>();
    for (Ranking.Place place : ranking.places()) {
      Finding finding = place.finding();
      rows.add(
          new Row(
              place.rank(),
              finding.runtime(),
              Chart.isOwn(finding.runtime()),
              Words.factor(place.timesWorse()),
              metrics.stream()
                  .map(metric ->
                      new Cell(
                          Columns.median(finding, metric, trial),
                          Columns.range(finding, metric, trial).orElse("")))
                  .toList()));
    }
    List<Blank> blanks = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (Finding finding : trial.findings()) {
      if (!finding.isAbsent()
          && ranking.places().stream().noneMatch(place -> place.finding().equals(finding))) {
        blanks.add(
            new Blank(
                finding.runtime(),
                Chart.isOwn(finding.runtime()),
                metrics.size() + 1,
                finding.trouble().orElse(finding.runs().isEmpty() ? "not run" : "not available")));
      }
      finding.remark().ifPresent(remark -> notes.add(finding.runtime() + " " + remark + "."));
    }
    return new Trial(
        experiment.name() + "-" + index,
        trial.label(),
        trial.settings().values().isEmpty() ? "Figures" : trial.settings().toString(),
        metrics.stream()
            .map(metric ->
                new Column(metric.title(), Direction.of(metric).words(), metric.description()))
            .toList(),
        rows,
        blanks,
        notes,
        Commands.of(trial));
  }

  private static List<Setup> runtimes(Findings findings) {
    List<Setup> runtimes = new ArrayList<>();
    for (String name : findings.runtimes()) {
      List<Result> runs =
          findings.results().stream()
              .filter(result -> result.runtime().equals(name) && !result.isAbsent())
              .toList();
      if (!runs.isEmpty()) {
        runtimes.add(
            new Setup(
                name,
                Words.list(
                    runs.stream()
                        .filter(run -> run.ok() || runs.stream().noneMatch(Result::ok))
                        .map(Result::version)
                        .distinct()
                        .toList()),
                Words.list(
                    runs.stream()
                        .map(Environments::settings)
                        .filter(settings -> !settings.isEmpty())
                        .distinct()
                        .toList()),
                Words.list(
                    runs.stream()
                        .map(run -> String.join(" ", Environments.flags(run)))
                        .filter(flags -> !flags.isEmpty())
                        .distinct()
                        .toList())));
      }
    }
    return runtimes;
  }

  private static List<Fact> environment(Findings findings) {
    List<Fact> facts = new ArrayList<>();
    Environments.machines(findings).forEach(machine -> facts.add(new Fact("machine", machine)));
    Environments.jdks(findings)
        .forEach(jdk -> facts.add(new Fact("JDK of the lab and its Java programs", jdk)));
    facts.add(new Fact("runs", findings.runs()));
    for (Path file : findings.files()) {
      facts.add(new Fact("results from", String.valueOf(file.getFileName())));
    }
    return facts;
  }

  /** A file that lies beside this class. */
  private static String resource(String name) {
    try (InputStream stream = Objects.requireNonNull(Page.class.getResourceAsStream(name), name);
        Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
      return reader.readAllAsString();
    } catch (IOException e) {
      throw new UncheckedIOException("the program's own file " + name + " cannot be read", e);
    }
  }
}
