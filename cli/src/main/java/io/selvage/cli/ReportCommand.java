package io.selvage.cli;

import io.selvage.lab.BadInputException;
import io.selvage.lab.Experiment;
import io.selvage.lab.Table;
import io.selvage.lab.report.Findings;
import io.selvage.lab.report.Recordings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

/** The command {@code selvage report}: shows what was measured before, all of it together. */
@Command(
    name = "report",
    description = {
      "Shows results that `selvage lab --json` wrote: tables, a page, markdown.",
      "Of several files the runs are taken together, so that one can measure in pieces.",
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Exit codes: 0 all was shown; 1 something could not be written; 2 bad input.",
      "",
      "Examples:",
      "  ./selvage report ring.json tasks.json --out report",
      "  ./selvage report today.json --compare yesterday.json",
      "  ./selvage report ring.json --markdown",
    })
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Files that `selvage lab --json` has written.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes a page with summary, charts and tables to DIR/index.html.")
  private @Nullable String folder;

  @Mixin private Outputs outputs = new Outputs();

  private ReportCommand() {}

  @Override
  public Integer call() throws IOException {
    if (files.isEmpty()) {
      throw new BadInputException(
          "report needs a file of results: name one that `./selvage lab --json` has written.");
    }
    Findings findings =
        Recordings.read(files.stream().map(file -> Outputs.path("report", file)).toList());
    Outputs.Ready ready = outputs.ready("--out", folder);
    Function<Experiment, List<String>> columns =
        findings.plan().measurements().size() > 1 ? Table::headlines : Table::allShown;
    ready.show(
        spec.commandLine(),
        findings,
        new Table(findings.plan(), findings.results())
            .render(findings.machine(), findings.flags(), findings.runs(), columns),
        columns);
    return ExitCode.OK;
  }
}
