package io.selvage.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The entry of the command {@code selvage}. Exit codes: 0 for success, 1 when the command itself
 * failed, 2 when the command line makes no sense.
 */
@Command(
    name = "./selvage",
    description = "Erlang-grade processes for Java.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {LabCommand.class, ReportCommand.class},
    footer = {
      "",
      "The launcher itself knows build, test, bench, jdk and help: see `./selvage help`.",
    })
final class Main implements Runnable {

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(writer(System.out), writer(System.err), args));
  }

  /**
   * A writer in the stream's own encoding. Where no locale is set, as in most containers, that is
   * ASCII by default and not by choice: then in UTF-8, so that a micro sign is one.
   */
  private static PrintWriter writer(PrintStream stream) {
    Charset charset = stream.charset();
    return new PrintWriter(
        stream, true, charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset);
  }

  /**
   * Runs the command.
   *
   * @param out takes what was asked for
   * @param err takes progress and complaints
   * @param args the words behind {@code selvage}
   * @return the exit code
   */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new Main())
        .setExpandAtFiles(false) // a word is what was typed, also if it begins with @
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(Complaints::ofUsage)
        .setExecutionExceptionHandler(Complaints::ofExecution)
        .execute(args);
  }

  /** Reached when no subcommand is named, which asks for nothing. */
  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no command is given: try `./selvage lab`, or `./selvage --help`.");
  }

  /** Reads the version from the jar's manifest, so that the build's version is the only one. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "selvage " + Objects.requireNonNullElse(version, "(built outside a jar)"),
        "on JDK " + Runtime.version(),
      };
    }
  }
}
