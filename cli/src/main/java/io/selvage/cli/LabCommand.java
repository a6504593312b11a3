package io.selvage.cli;

import io.selvage.lab.BadInputException;
import io.selvage.lab.Contender;
import io.selvage.lab.Contenders;
import io.selvage.lab.Experiment;
import io.selvage.lab.Experiments;
import io.selvage.lab.JvmFlags;
import io.selvage.lab.Machine;
import io.selvage.lab.Parameter;
import io.selvage.lab.Plan;
import io.selvage.lab.Result;
import io.selvage.lab.ResultFile;
import io.selvage.lab.Runner;
import io.selvage.lab.Settings;
import io.selvage.lab.Stop;
import io.selvage.lab.Table;
import io.selvage.lab.report.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code selvage lab}: reads what is wanted, has it run, and shows what came out. */
@Command(
    name = "lab",
    description = {
      "Measures Selvage beside plain Java, and other languages, on this machine.",
      "Without an experiment: a tour of ring, spawn and tasks in one table.",
      "With `all` for an experiment: every one, with its defaults.",
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Ctrl-C stops what runs and shows what was measured until then, everywhere.",
      "Exit codes: 0 all ran and did their work; 1 a program failed, or none could run; 2 bad"
          + " input; 130 Ctrl-C.",
      "",
      "Examples:",
      "  ./selvage lab",
      "  ./selvage lab ring processes=1000 rounds=100 --repeat 3",
      "  ./selvage lab tasks tasks=100000 wait=5s --runtime selvage-event,java-virtual",
      "  ./selvage lab skynet --runtime selvage-event,erlang,go",
      "  ./selvage lab ring classic --json ring.json",
      "  ./selvage lab all --runtime all --repeat 3 --json all.json --report report",
    })
final class LabCommand implements Callable<Integer> {
  /** What a shell reports of a command that Ctrl-C ended. */
  private static final int INTERRUPTED = 130;

  /** Stands for every experiment, and for every runtime. */
  private static final String ALL = "all";

  private static final Parameter.Count REPEAT =
      new Parameter.Count("--repeat", "how often each program runs", 1, 1000, 1);

  private static final Parameter.Span TIME_LIMIT =
      new Parameter.Span(
          "--time-limit",
          "after what time one run is killed",
          Duration.ofSeconds(1),
          Duration.ofHours(1000),
          Duration.ofMinutes(1));

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "EXPERIMENT [name=value …]",
      description = "What to measure, and what to set about it; see --list. `all`: everything.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--runtime",
      paramLabel = "NAME,…",
      description =
          "Who takes part; see --list. `all`: everybody. Default: Selvage and plain Java, without"
              + " peers.")
  private @Nullable String runtimes;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "How often each program runs; the table shows medians. Default: 1.")
  private String repeat = REPEAT.defaultText();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes one JSON object a line for every run; replaces the file.")
  private @Nullable String json;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Writes a page with summary, charts and tables to DIR/index.html.")
  private @Nullable String report;

  @Mixin private Outputs outputs = new Outputs();

  @Option(
      names = "--jvm-flags",
      paramLabel = "FLAGS",
      description = "Flags of every measured JVM instead of the chosen ones; quote them.")
  private @Nullable String jvmFlags;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      description = "After what time one run is killed, such as 90s. Default: by experiment.")
  private @Nullable String timeLimit;

  @Option(names = "--list", description = "Lists experiments, their parameters, and runtimes.")
  private boolean list;

  private LabCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Machine machine = Machine.here();
    if (list) {
      ensureAlone();
      Catalogue.print(out, machine);
      return ExitCode.OK;
    }
    int repeats = Math.toIntExact(REPEAT.parse(repeat));
    Optional<Duration> limit = Optional.ofNullable(timeLimit).map(TIME_LIMIT::parse);
    boolean many = words.isEmpty() || words.getFirst().equals(ALL);
    Plan plan = plan(repeats);
    List<String> flags = jvmFlags == null ? JvmFlags.defaults(machine) : JvmFlags.parse(jvmFlags);
    Outputs.Ready ready = outputs.ready("--report", report);

    try (ResultFile file = json == null ? null : ResultFile.open(Outputs.path("--json", json));
        Interruption interruption = Interruption.expected()) {
      Stop stop = interruption.stop();
      List<Result> results = new ArrayList<>();
      @Nullable IOException unwritten = null;
      try {
        run(plan, machine, flags, limit, file, stop, results);
      } catch (IOException e) {
        unwritten = e; // what was measured is shown all the same
      }
      if (stop.isRequested() && results.isEmpty()) {
        spec.commandLine().getErr().println("Interrupted before anything was measured.");
        return INTERRUPTED;
      }
      Function<Experiment, List<String>> columns = many ? Table::headlines : Table::allShown;
      try {
        ready.show(
            spec.commandLine(),
            new Findings(plan, results, List.of()),
            "\n" + new Table(plan, results).render(machine, flags, columns),
            columns);
      } catch (IOException e) {
        if (unwritten != null) {
          e.addSuppressed(unwritten);
          Complaints.alsoOf(spec.commandLine(), unwritten);
        }
        unwritten = e;
      }
      if (stop.isRequested()) {
        spec.commandLine()
            .getErr()
            .println(
                "Interrupted after "
                    + results.size()
                    + " of "
                    + plan.steps().size()
                    + " runs; what they gave is kept.");
      }
      if (unwritten != null) {
        throw unwritten;
      }
      return stop.isRequested() ? INTERRUPTED : exitCode(results);
    }
  }

  /** The list is the same whatever else is given, so whoever gives more wants something else. */
  private void ensureAlone() {
    List<String> others = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    others.remove(spec.name());
    others.remove("--list");
    if (!others.isEmpty()) {
      throw new BadInputException(
          "--list lists everything and measures nothing: leave out either --list or "
              + String.join(" ", others)
              + ".");
    }
  }

  private void run(
      Plan plan,
      Machine machine,
      List<String> flags,
      Optional<Duration> limit,
      @Nullable ResultFile file,
      Stop stop,
      List<Result> results)
      throws IOException {
    try (ProgressLines progress = ProgressLines.to(spec.commandLine().getErr())) {
      progress.machineIsBusy(machine);
      new Runner(machine, flags, limit, progress, stop)
          .run(
              plan,
              result -> {
                results.add(result);
                if (file != null) {
                  file.add(result);
                }
              });
    }
  }

  /** Failed if a program failed, or if nothing could be measured at all. A death is a result. */
  private static int exitCode(List<Result> results) {
    boolean failed =
        results.stream().anyMatch(result -> result.error() != null && !result.isDeath());
    boolean measured = results.stream().anyMatch(result -> result.ok() || result.isDeath());
    return failed || !measured ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private Plan plan(int repeats) {
    if (words.isEmpty()) {
      return Plan.tour(runtimes == null ? Plan.tourContenders() : named(runtimes), repeats);
    }
    if (!words.getFirst().equals(ALL)) {
      return experiment(repeats);
    }
    if (words.size() > 1) {
      throw new BadInputException(
          "all measures every experiment with its defaults, so that \""
              + words.get(1)
              + "\" has no place: leave it out, or name one experiment.");
    }
    return Plan.all(Optional.ofNullable(runtimes).map(LabCommand::named), repeats);
  }

  private Plan experiment(int repeats) {
    String name = words.getFirst();
    if (name.contains("=")) {
      throw new BadInputException(
          "\""
              + name
              + "\" sets a parameter, but no experiment is named: write the experiment first, such"
              + " as `./selvage lab ring "
              + name
              + "`.");
    }
    Experiment experiment = Experiments.named(name);
    Settings settings = experiment.settings(words.subList(1, words.size()));
    List<Contender> contenders =
        runtimes == null
            ? Contenders.of(experiment)
            : named(runtimes).stream()
                .filter(contender -> !runtimes.equals(ALL) || contender.takesPartIn(experiment))
                .toList();
    return new Plan(List.of(new Plan.Measurement(experiment, settings, contenders)), repeats);
  }

  private static List<Contender> named(String names) {
    if (names.equals(ALL)) {
      return Contenders.all();
    }
    List<Contender> contenders = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      if (name.isBlank()) {
        throw new BadInputException(
            "--runtime \""
                + names
                + "\" has an empty name: give names with commas between them, such as"
                + " selvage-event,java-virtual.");
      }
      Contender contender = Contenders.named(name.strip());
      if (contenders.contains(contender)) {
        throw new BadInputException(
            "--runtime names "
                + contender.name()
                + " twice: name it once, and use --repeat to run it more often.");
      }
      contenders.add(contender);
    }
    return List.copyOf(contenders);
  }
}
