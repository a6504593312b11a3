package io.selvage.lab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The results of a plan as one table for people. Of one experiment it has a row for each runtime
 * and a column for each figure; of several, which have more figures than a line holds, a row for
 * each figure and a column for each runtime. Medians where there are repeats; below it what was
 * refused or failed and why, the settings, the flags, the machine, and whether the figures are to
 * be trusted.
 */
public final class Table {
  /** Repeats of one figure that differ by more than this are called noise. */
  private static final double NOISE = 0.2;

  private static final int WIDTH = 100;

  private final Plan plan;
  private final List<Result> results;

  /** What stands below the table; a cell refers to it by its number. */
  private final List<String> notes = new ArrayList<>();

  /**
   * A table.
   *
   * @param plan what was run
   * @param results what it gave, as far as it went
   */
  public Table(Plan plan, List<Result> results) {
    this.plan = plan;
    this.results = List.copyOf(results);
  }

  /** A figure of an experiment. */
  private record Column(Experiment experiment, Metric metric) {}

  /**
   * Writes the table.
   *
   * @param machine the machine that is named below it
   * @param flags the flags that are named below it
   * @param columns which figures to show, by experiment
   * @return lines, each ending in a line feed
   */
  public String render(
      Machine machine, List<String> flags, Function<Experiment, List<String>> columns) {
    List<Column> shown = new ArrayList<>();
    for (Experiment experiment : experiments()) {
      for (String name : columns.apply(experiment)) {
        shown.add(new Column(experiment, experiment.metric(name)));
      }
    }
    StringBuilder text = new StringBuilder();
    if (experiments().size() == 1) {
      runtimesDown(shown, text);
    } else {
      figuresDown(shown, text);
    }
    for (int i = 0; i < notes.size(); i++) {
      wrap("[" + (i + 1) + "] " + notes.get(i), text);
    }
    text.append('\n');
    for (Experiment experiment : experiments()) {
      String heading = (experiment.name() + " " + settings(experiment)).strip();
      wrap(heading + ": " + experiment.summary(), text);
    }
    for (Contender contender : contenders()) {
      contender.note(measuredVersion(contender)).ifPresent(note -> wrap(note, text));
    }
    wrap("JVM flags: " + (flags.isEmpty() ? "none" : String.join(" ", flags)), text);
    wrap("Machine: " + machine.describe(), text);
    wrap(runs(), text);
    noise(shown).ifPresent(note -> wrap(note, text));
    return text.toString();
  }

  private void runtimesDown(List<Column> shown, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(header(shown, column -> column.metric().title()));
    rows.add(header(shown, column -> better(column.metric()).replace(" better", "")));
    rows.add(header(shown, column -> column.metric().isCount() ? "" : "better"));
    int heads = rows.size();
    for (Contender contender : contenders()) {
      rows.add(row(contender, shown));
    }
    layOut(rows, heads, 1, text);
  }

  private void figuresDown(List<Column> shown, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("", "", ""));
    contenders().forEach(contender -> head.add(contender.name()));
    rows.add(head);
    String above = "";
    for (Column column : shown) {
      String experiment = column.experiment().name();
      List<String> row = new ArrayList<>();
      row.add(experiment.equals(above) ? "" : experiment);
      row.add(column.metric().title());
      row.add(better(column.metric()));
      contenders().forEach(contender -> row.add(cell(column, contender)));
      rows.add(row);
      above = experiment;
    }
    layOut(rows, 1, 3, text);
  }

  /** Which way to read a figure; nothing for a mere count. */
  private static String better(Metric metric) {
    if (metric.isCount()) {
      return "";
    }
    return metric.higherIsBetter() ? "higher is better" : "lower is better";
  }

  /** How often each program ran. */
  private String runs() {
    int wanted = plan.steps().size();
    if (results.size() < wanted) {
      return "INTERRUPTED after "
          + results.size()
          + " of "
          + wanted
          + " runs"
          + (plan.repeats() == 1 ? "." : "; medians of what there is.");
    }
    return plan.repeats() == 1
        ? "Each program ran once; --repeat 3 shows medians of three runs."
        : "Medians of " + plan.repeats() + " runs of each program.";
  }

  /**
   * The figures that a table of one experiment shows.
   *
   * @param experiment the experiment
   * @return the names of the metrics
   */
  public static List<String> allShown(Experiment experiment) {
    return experiment.metrics().stream().filter(Metric::shown).map(Metric::name).toList();
  }

  /**
   * The figures that a table of many experiments shows: one or two of each, and the count that
   * shows that the work was done.
   *
   * @param experiment the experiment
   * @return the names of the metrics
   */
  public static List<String> headlines(Experiment experiment) {
    return experiment.headlines();
  }

  private Set<Contender> contenders() {
    Set<Contender> contenders = new LinkedHashSet<>();
    plan.measurements().forEach(measurement -> contenders.addAll(measurement.contenders()));
    return contenders;
  }

  private Set<Experiment> experiments() {
    Set<Experiment> experiments = new LinkedHashSet<>();
    plan.measurements().forEach(measurement -> experiments.add(measurement.experiment()));
    return experiments;
  }

  /** The settings of the first measurement of an experiment; others are told in notes. */
  private Settings settings(Experiment experiment) {
    return plan.measurements().stream()
        .filter(measurement -> measurement.experiment().equals(experiment))
        .findFirst()
        .orElseThrow()
        .settings();
  }

  private static List<String> header(List<Column> columns, Function<Column, String> text) {
    return Stream.concat(Stream.of(""), columns.stream().map(text)).toList();
  }

  /** Name and figures; or name and one sentence, if that is all there is to tell. */
  private List<String> row(Contender contender, List<Column> columns) {
    List<String> cells = new ArrayList<>();
    cells.add(contender.name());
    Optional<String> trouble = trouble(runs(columns.getFirst(), contender));
    if (trouble.isPresent()) {
      cells.add(trouble.get());
      return cells;
    }
    columns.forEach(column -> cells.add(cell(column, contender)));
    return cells;
  }

  private String cell(Column column, Contender contender) {
    return plan.measurements().stream()
        .filter(measurement -> measurement.experiment().equals(column.experiment()))
        .filter(measurement -> measurement.contenders().contains(contender))
        .findFirst()
        .map(measurement -> cell(measurement, column, contender))
        .orElse("");
  }

  /** Why there is no figure: the first failure, else the first refusal. */
  private static Optional<String> trouble(List<Result> runs) {
    return runs.stream()
        .filter(run -> run.error() != null)
        .findFirst()
        .flatMap(Result::trouble)
        .or(() -> runs.stream().flatMap(run -> run.trouble().stream()).findFirst());
  }

  private Optional<String> measuredVersion(Contender contender) {
    return results.stream()
        .filter(result -> result.runtime().equals(contender.name()) && result.ok())
        .map(Result::version)
        .findFirst();
  }

  private String cell(Plan.Measurement measurement, Column column, Contender contender) {
    List<Result> runs = runs(column, contender);
    Optional<String> trouble = trouble(runs);
    if (trouble.isPresent()) {
      String words = trouble.get();
      return words.substring(0, words.indexOf(':')) + " " + note(contender, words);
    }
    if (runs.isEmpty()) {
      return "not run";
    }
    List<Double> values = values(column, contender);
    if (values.isEmpty()) {
      return "not available";
    }
    StringBuilder cell =
        new StringBuilder(column.metric().format(Median.of(values), scale(column)));
    if (!measurement.settings().equals(settings(column.experiment()))) {
      cell.append(' ').append(note(contender, "ran with " + measurement.settings()));
    }
    runs.stream()
        .flatMap(run -> column.experiment().remark(measurement.settings(), run.metrics()).stream())
        .findFirst()
        .ifPresent(remark -> cell.append(' ').append(note(contender, remark)));
    return cell.toString();
  }

  /** One unit for all figures of a column. */
  private Metric.Scale scale(Column column) {
    return column
        .metric()
        .scale(
            contenders().stream()
                .map(contender -> values(column, contender))
                .filter(values -> !values.isEmpty())
                .map(Median::of)
                .toList());
  }

  /** The number of a note, the same for the same words. */
  private String note(Contender contender, String words) {
    String note = contender.name() + " " + words;
    if (!notes.contains(note)) {
      notes.add(note);
    }
    return "[" + (notes.indexOf(note) + 1) + "]";
  }

  private List<Result> runs(Column column, Contender contender) {
    return results.stream()
        .filter(result -> result.experiment().equals(column.experiment().name()))
        .filter(result -> result.runtime().equals(contender.name()))
        .toList();
  }

  private List<Double> values(Column column, Contender contender) {
    return runs(column, contender).stream()
        .flatMap(run -> Stream.ofNullable(run.metrics().get(column.metric().name())))
        .toList();
  }

  /** Names the figure that differed most between repeats, if one differed too much. */
  private Optional<String> noise(List<Column> columns) {
    double widest = NOISE;
    String where = "";
    for (Column column : columns) {
      for (Contender contender : contenders()) {
        List<Double> values = values(column, contender);
        double spread = Median.spread(values);
        if (!column.metric().isCount() && spread > widest) {
          widest = spread;
          where =
              column.experiment().name() + ", " + column.metric().title() + ", " + contender.name();
        }
      }
    }
    return where.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "NOISY: repeats of one figure differ by up to %.0f %% (%s). Let the machine rest,"
                    + " or give a higher --repeat.",
                widest * 100,
                where));
  }

  /**
   * Names to the left, figures to the right, two blanks between columns, a rule below the head.
   *
   * @param heads how many rows are the head
   * @param names how many columns are names
   */
  private static void layOut(List<List<String>> rows, int heads, int names, StringBuilder text) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns && (i == 0 || row.size() == columns); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (int r = 0; r < rows.size(); r++) {
      List<String> row = rows.get(r);
      if (row.size() < columns) {
        wrap(row.get(0) + " ".repeat(widths[0] + 2 - row.get(0).length()) + row.get(1), text);
        continue;
      }
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = row.get(i);
        String blanks = " ".repeat(widths[i] - cell.length());
        line.append(i == 0 ? "" : "  ").append(i < names ? cell + blanks : blanks + cell);
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (r == heads - 1) {
        text.append("-".repeat(line.length())).append('\n');
      }
    }
  }

  /** Breaks a line between words where it gets too long; what follows is indented. */
  private static void wrap(String line, StringBuilder text) {
    int column = 0;
    for (String word : line.split("(?<! ) ", -1)) {
      if (column > 0 && column + 1 + word.length() > WIDTH) {
        text.append("\n    ");
        column = 4;
      } else if (column > 0) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
    text.append('\n');
  }
}
