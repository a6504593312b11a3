package io.selvage.cli;

import io.selvage.lab.BadInputException;
import io.selvage.lab.Experiment;
import io.selvage.lab.report.Comparison;
import io.selvage.lab.report.Findings;
import io.selvage.lab.report.Markdown;
import io.selvage.lab.report.Page;
import io.selvage.lab.report.Recordings;
import io.selvage.lab.report.ReportFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * Where results go: the table on the terminal, a page, markdown, and an earlier run beside them.
 * Whatever can be wrong with it is found out before anything is measured.
 */
final class Outputs {
  private static final String MARKDOWN_FILE = ".md";

  @Option(
      names = "--markdown",
      arity = "0..1",
      paramLabel = "FILE.md",
      preprocessor = OnlyMarkdownFiles.class,
      description = "Prints the tables as GitHub's markdown, or writes them to a file *.md.")
  private @Nullable String markdown;

  @Option(
      names = "--compare",
      paramLabel = "FILE",
      description = "Shows an earlier run, a file of --json, beside this one.")
  private @Nullable String compare;

  Outputs() {}

  /**
   * Takes the next word only if it is the name of a markdown file: it might as well be an
   * experiment.
   */
  static final class OnlyMarkdownFiles implements IParameterPreprocessor {
    OnlyMarkdownFiles() {}

    @Override
    @SuppressWarnings("JdkObsolete") // picocli hands over a Stack
    public boolean preprocess(
        Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      boolean attached = info.get("separator") instanceof String separator && !separator.isBlank();
      if (!attached && (args.isEmpty() || !args.peek().endsWith(MARKDOWN_FILE))) {
        args.push("");
      }
      return false;
    }
  }

  /**
   * Everything that results go to, found to be usable.
   *
   * @param before the earlier run
   * @param report the folder of the page
   * @param markdown the file of the markdown
   * @param printed whether markdown is printed instead of the table
   */
  record Ready(
      Optional<Findings> before,
      Optional<ReportFolder> report,
      Optional<Path> markdown,
      boolean printed) {
    /**
     * Shows and writes everything; what cannot be written does not keep the rest from it.
     *
     * @throws IOException if something could not be written, after the rest was
     */
    void show(
        CommandLine command,
        Findings findings,
        String table,
        Function<Experiment, List<String>> columns)
        throws IOException {
      Optional<Comparison> comparison =
          before.map(earlier -> Comparison.of(earlier, findings, columns));
      PrintWriter out = command.getOut();
      if (printed) {
        out.print(Markdown.of(findings, comparison));
      } else {
        out.print(table);
        comparison.ifPresent(both -> out.print("\n" + both.render()));
      }
      out.flush();
      @Nullable IOException unwritten = null;
      if (markdown.isPresent()) {
        try {
          Files.writeString(markdown.get(), Markdown.of(findings, comparison));
        } catch (IOException e) {
          unwritten =
              new IOException("the markdown cannot be written to " + cause(markdown.get(), e), e);
        }
      }
      if (report.isPresent()) {
        try {
          Path page =
              report.get().write(Page.of(findings, comparison, typed(command), Instant.now()));
          command.getErr().println("Report: " + page);
        } catch (IOException e) {
          if (unwritten != null) {
            e.addSuppressed(unwritten);
            Complaints.alsoOf(command, unwritten);
          }
          unwritten = e;
        }
      }
      if (unwritten != null) {
        throw unwritten;
      }
    }

    private static String cause(Path file, IOException e) {
      return file
          + ": "
          + (e instanceof FileSystemException told && told.getReason() != null
              ? told.getReason()
              : e.getMessage());
    }

    /** The command as it could be typed again. */
    private static String typed(CommandLine command) {
      CommandLine root = command;
      while (root.getParent() != null) {
        root = root.getParent();
      }
      return root.getCommandName()
          + " "
          + root.getParseResult().originalArgs().stream()
              .map(word ->
                  word.matches("[\\w=.,:/+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
              .collect(Collectors.joining(" "));
    }
  }

  /**
   * Looks at everything that was asked for.
   *
   * @param option the option that names the folder of the report
   * @param folder the folder, if one was named
   * @throws BadInputException if something of it cannot be read or written
   */
  Ready ready(String option, @Nullable String folder) {
    Optional<Findings> before =
        Optional.ofNullable(compare).map(file -> Recordings.read(List.of(path("--compare", file))));
    boolean printed = markdown != null && markdown.isBlank();
    Optional<Path> file =
        Optional.ofNullable(markdown)
            .filter(text -> !text.isBlank())
            .map(text -> writable(path("--markdown", text)));
    return new Ready(
        before,
        Optional.ofNullable(folder).map(text -> ReportFolder.open(option, path(option, text))),
        file,
        printed);
  }

  private static Path writable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    String cause =
        Files.isDirectory(file)
            ? "it is a folder"
            : folder == null || !Files.isDirectory(folder)
                ? "there is no folder " + folder
                : !Files.isWritable(Files.exists(file) ? file : folder)
                    ? "it must not be written by you"
                    : "";
    if (!cause.isEmpty()) {
      throw new BadInputException(
          "--markdown " + file + " cannot be written: " + cause + "; name another file.");
    }
    return file;
  }

  /** A file or folder that was named. */
  static Path path(String option, String name) {
    try {
      if (!name.isBlank()) {
        return Path.of(name);
      }
    } catch (InvalidPathException e) {
      // told below
    }
    throw new BadInputException(
        option
            + " \""
            + name
            + "\" is no "
            + (option.equals("--json")
                ? "file name: give one such as ring.json."
                : "name of a file or folder: give another one."));
  }
}
