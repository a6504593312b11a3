package io.selvage.cli;

import io.selvage.lab.BadInputException;
import io.selvage.lab.Nearest;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What the command says when it cannot do what it was told: one sentence with the value, the cause
 * and the cure, and no stack.
 */
final class Complaints {
  /** Commands that never get here, unless they are mistyped. */
  private static final List<String> OF_THE_LAUNCHER =
      List.of("build", "test", "bench", "jdk", "help");

  private static final int LONGEST_WORD = 200;

  private Complaints() {}

  /** The command line could not be read. */
  static int ofUsage(ParameterException e, String[] args) {
    String sentence =
        switch (e) {
          case UnmatchedArgumentException unmatched -> unmatched(unmatched);
          case MissingParameterException missing ->
              names(missing.getMissing()) + " needs a value: see `" + help(e) + "`.";
          case OverwrittenOptionException twice ->
              names(List.of(twice.getOverwritten())) + " is given twice: give it once.";
          default ->
              e.getArgSpec() instanceof OptionSpec option && option.typeInfo().isBoolean()
                  ? option.longestName() + " takes no value: leave out \"=" + e.getValue() + "\"."
                  : String.valueOf(e.getMessage());
        };
    complain(e.getCommandLine(), sentence);
    return CommandLine.ExitCode.USAGE;
  }

  /** The command could be read, but not run. */
  static int ofExecution(Exception e, CommandLine command, ParseResult parsed) throws Exception {
    return switch (e) {
      case BadInputException bad -> {
        complain(command, bad.getMessage());
        yield CommandLine.ExitCode.USAGE;
      }
      case IOException failed -> {
        complain(command, failed.getMessage() + ".");
        yield CommandLine.ExitCode.SOFTWARE;
      }
      default -> throw e;
    };
  }

  /** One thing more that could not be done. */
  static void alsoOf(CommandLine command, IOException failed) {
    complain(command, failed.getMessage() + ".");
  }

  private static String unmatched(UnmatchedArgumentException e) {
    String word = e.getUnmatched().getFirst();
    boolean option = word.startsWith("-");
    Set<String> known =
        new TreeSet<>(
            option
                ? e.getCommandLine().getCommandSpec().optionsMap().keySet()
                : e.getCommandLine().getSubcommands().keySet());
    if (!option) {
      known.addAll(OF_THE_LAUNCHER);
    }
    return (option ? "there is no option " : "there is no command ")
        + word
        + Nearest.to(word, known)
            .map(near -> ": did you mean " + near + "? See `")
            .orElse(": see `")
        + help(e)
        + "`.";
  }

  private static String help(ParameterException e) {
    return e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
  }

  private static String names(List<ArgSpec> options) {
    return options.stream()
        .map(option ->
            option instanceof OptionSpec named ? named.longestName() : option.paramLabel())
        .collect(Collectors.joining(", "));
  }

  /** A value that was typed may hold anything; what is said of it stays one line for people. */
  private static String onOneLine(String sentence) {
    return sentence
        .replaceAll("\\p{Cntrl}", "?")
        .replaceAll("(\\S{" + LONGEST_WORD + "})\\S+", "$1…");
  }

  private static void complain(CommandLine command, String sentence) {
    command.getErr().println("selvage: " + onOneLine(sentence));
    command.getErr().flush();
  }
}
