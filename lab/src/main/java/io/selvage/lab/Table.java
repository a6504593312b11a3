package io.selvage.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The results of a plan as one table for people. Of one experiment it has a row for each runtime
 * and a column for each figure; of several, which have more figures than a line holds, a row for
 * each figure and a column for each runtime; and of several on so many runtimes that a line holds
 * neither, a part for each. Medians where there are repeats, and where they lie; below it what was
 * refused or failed and why, the settings, the flags, the machine, and whether the figures are to
 * be trusted.
 */
public final class Table {
  private static final int WIDTH = 100;

  /** A table of many experiments that is wider than this is broken into its experiments. */
  private static final int WIDEST = 120;

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

  /**
   * What shares rows or columns: the measurements of one experiment, as long as each runtime is in
   * one of them only.
   */
  private record Group(
      Experiment experiment, Settings settings, String label, List<Finding> findings) {
    Optional<Finding> of(Contender contender) {
      return findings.stream()
          .filter(finding -> finding.runtime().equals(contender.name()))
          .findFirst();
    }
  }

  /** A figure of a group. */
  private record Column(Group group, Metric metric) {}

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
    return render(machine.describe(), flags, runs(), columns);
  }

  /**
   * Writes the table of results that were measured elsewhere, or at another time.
   *
   * @param machine what to say of the machine
   * @param flags the flags that are named below it
   * @param runs how often each program ran, as a sentence
   * @param columns which figures to show, by experiment
   * @return lines, each ending in a line feed
   */
  public String render(
      String machine, List<String> flags, String runs, Function<Experiment, List<String>> columns) {
    List<Group> groups = groups();
    StringBuilder text = new StringBuilder();
    if (groups.size() == 1) {
      runtimesDown(columns(groups.getFirst(), columns), text);
    } else {
      figuresDown(
          groups.stream().flatMap(group -> columns(group, columns).stream()).toList(), text);
      if (text.toString().lines().anyMatch(line -> line.length() > WIDEST)) {
        text.setLength(0);
        notes.clear(); // a row of one runtime tells its trouble by itself
        for (Group group : groups) {
          text.append(text.isEmpty() ? "" : "\n");
          wrap(group.label(), text);
          runtimesDown(columns(group, columns), text);
        }
      }
    }
    for (int i = 0; i < notes.size(); i++) {
      wrap("[" + (i + 1) + "] " + notes.get(i), text);
    }
    text.append('\n');
    for (Group group : groups) {
      String heading = (group.experiment().name() + " " + group.settings()).strip();
      wrap(heading + ": " + group.experiment().summary(), text);
    }
    for (Contender contender : contenders()) {
      contender.note(measuredVersion(contender)).ifPresent(note -> wrap(note, text));
    }
    wrap("JVM flags: " + flagsInWords(groups, flags), text);
    wrap("Machine: " + machine, text);
    wrap(runs, text);
    Noise.of(
            groups.stream().flatMap(group -> group.findings().stream()).toList(),
            metric ->
                groups.stream()
                    .anyMatch(group -> columns.apply(group.experiment()).contains(metric.name())))
        .ifPresent(note -> wrap(note, text));
    return text.toString();
  }

  /** The flags of all, and what some experiments get beside them. */
  private static String flagsInWords(List<Group> groups, List<String> flags) {
    StringBuilder words = new StringBuilder(flags.isEmpty() ? "none" : String.join(" ", flags));
    Map<String, List<String>> more = new LinkedHashMap<>();
    for (Group group : groups) {
      List<String> own = new ArrayList<>(JvmFlags.of(flags, group.experiment(), group.settings()));
      own.removeAll(flags);
      if (!own.isEmpty()) {
        more.computeIfAbsent(String.join(" ", own), all -> new ArrayList<>())
            .add(group.experiment().name());
      }
    }
    more.forEach((own, names) ->
        words.append("; also ").append(own).append(" for ").append(String.join(", ", names)));
    return words.toString();
  }

  private static List<Column> columns(Group group, Function<Experiment, List<String>> columns) {
    return columns.apply(group.experiment()).stream()
        .map(name -> new Column(group, group.experiment().metric(name)))
        .toList();
  }

  private List<Group> groups() {
    List<List<Plan.Measurement>> sorted = new ArrayList<>();
    for (Plan.Measurement measurement : plan.measurements()) {
      sorted.stream()
          .filter(group -> group.getFirst().experiment().equals(measurement.experiment()))
          .filter(group ->
              group.stream()
                  .allMatch(
                      other -> Collections.disjoint(other.contenders(), measurement.contenders())))
          .findFirst()
          .ifPresentOrElse(
              group -> group.add(measurement),
              () -> sorted.add(new ArrayList<>(List.of(measurement))));
    }
    return sorted.stream().map(group -> group(group, sorted)).toList();
  }

  /** Named by its experiment, and by its settings where others have the same experiment. */
  private Group group(List<Plan.Measurement> measurements, List<List<Plan.Measurement>> all) {
    Plan.Measurement first = measurements.getFirst();
    List<Settings> others =
        all.stream()
            .map(List::getFirst)
            .filter(other -> other.experiment().equals(first.experiment()))
            .map(Plan.Measurement::settings)
            .toList();
    return new Group(
        first.experiment(),
        first.settings(),
        (first.experiment().name() + " " + first.settings().difference(others)).strip(),
        measurements.stream().flatMap(one -> Finding.of(one, results).stream()).toList());
  }

  private void runtimesDown(List<Column> shown, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(header(shown, column -> column.metric().title()));
    rows.add(header(shown, column -> better(column.metric()).replace(" better", "")));
    rows.add(header(shown, column -> column.metric().isCount() ? "" : "better"));
    int heads = rows.size();
    Group group = shown.getFirst().group();
    for (Contender contender : contenders()) {
      group
          .of(contender)
          .ifPresent(finding -> {
            rows.add(row(contender, shown));
            rows.addAll(ranges(finding, shown));
          });
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
      String experiment = column.group().label();
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

  private static List<String> header(List<Column> columns, Function<Column, String> text) {
    return Stream.concat(Stream.of(""), columns.stream().map(text)).toList();
  }

  /** Name and figures; or name and one sentence, if that is all there is to tell. */
  private List<String> row(Contender contender, List<Column> columns) {
    List<String> cells = new ArrayList<>();
    cells.add(contender.name());
    Optional<String> trouble = columns.getFirst().group().of(contender).flatMap(Finding::trouble);
    if (trouble.isPresent()) {
      cells.add(trouble.get());
      return cells;
    }
    columns.forEach(column -> cells.add(cell(column, contender)));
    return cells;
  }

  /** A row with the least and the greatest value of each figure, if there are repeats. */
  private static List<List<String>> ranges(Finding finding, List<Column> columns) {
    List<String> cells = new ArrayList<>();
    cells.add("  least to most");
    for (Column column : columns) {
      Metric metric = column.metric();
      cells.add(
          finding.range(metric).flatMap(range -> range.text(metric, scale(column))).orElse(""));
    }
    return cells.stream().skip(1).allMatch(String::isEmpty) ? List.of() : List.of(cells);
  }

  private String cell(Column column, Contender contender) {
    return column.group().of(contender).map(finding -> cell(finding, column, contender)).orElse("");
  }

  private Optional<String> measuredVersion(Contender contender) {
    return results.stream()
        .filter(result -> result.runtime().equals(contender.name()) && result.ok())
        .map(Result::version)
        .findFirst();
  }

  private String cell(Finding finding, Column column, Contender contender) {
    Optional<String> trouble = finding.trouble();
    if (trouble.isPresent()) {
      String words = trouble.get();
      return words.substring(0, words.indexOf(':')) + " " + note(contender, words);
    }
    if (finding.runs().isEmpty()) {
      return "not run";
    }
    OptionalDouble median = finding.median(column.metric());
    if (median.isEmpty()) {
      return "not available";
    }
    StringBuilder cell =
        new StringBuilder(column.metric().format(median.getAsDouble(), scale(column)));
    if (!finding.settings().equals(column.group().settings())) {
      cell.append(' ').append(note(contender, "ran with " + finding.settings()));
    }
    finding.remark().ifPresent(remark -> cell.append(' ').append(note(contender, remark)));
    return cell.toString();
  }

  /** One unit for all figures of a column. */
  private static Metric.Scale scale(Column column) {
    return column
        .metric()
        .scale(
            column.group().findings().stream()
                .flatMapToDouble(finding -> finding.median(column.metric()).stream())
                .boxed()
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
