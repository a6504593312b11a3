package io.selvage.cli;

import io.selvage.lab.Contender;
import io.selvage.lab.Estimate;
import io.selvage.lab.Machine;
import io.selvage.lab.Metric;
import io.selvage.lab.Plan;
import io.selvage.lab.Progress;
import io.selvage.lab.Result;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows how a plan goes: on a terminal one line that counts the seconds and is written over, else a
 * line for each run and one more every ten seconds.
 */
final class ProgressLines implements Progress, AutoCloseable {
  private static final long SPARSE_SECONDS = 10;
  private static final String ERASE_LINE = "\r\033[K";

  private final PrintWriter out;
  private final boolean terminal;
  private long secondsShown;
  private Estimate estimate = new Estimate(List.of());
  private long startNanos;

  ProgressLines(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Writes to a stream that is a terminal if this JVM's output is. */
  static ProgressLines to(PrintWriter out) {
    return new ProgressLines(
        out, Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false));
  }

  /** Warns before anything is measured if other programs are at work. */
  void machineIsBusy(Machine machine) {
    machine
        .busyPercent()
        .ifPresent(percent ->
            out.println(
                "Other programs keep this machine busy ("
                    + percent
                    + " % in the last minute): figures will be worse than they could be."));
  }

  @Override
  public void planned(List<Plan.Step> steps) {
    estimate = new Estimate(steps);
  }

  @Override
  public void building(Contender contender, Duration elapsed) {
    long seconds = elapsed.toSeconds();
    boolean first = elapsed.isZero();
    if (!first && (terminal ? seconds <= secondsShown : seconds < secondsShown + SPARSE_SECONDS)) {
      return;
    }
    secondsShown = seconds;
    String line =
        "Building the programs of "
            + contender.name()
            + (first ? " (first use, or sources changed)…" : "…  " + seconds + " s");
    if (terminal) {
      out.print(ERASE_LINE + line);
    } else {
      out.println(line);
    }
    out.flush();
  }

  @Override
  public void started(Plan.Step step) {
    secondsShown = 0;
    startNanos = System.nanoTime();
    if (terminal) {
      out.print(ERASE_LINE + heading(step) + left(step, Duration.ZERO));
      out.flush();
    }
  }

  @Override
  public void running(Plan.Step step, Duration elapsed) {
    long seconds = elapsed.toSeconds();
    if (terminal ? seconds > secondsShown : seconds >= secondsShown + SPARSE_SECONDS) {
      secondsShown = seconds;
      String line =
          heading(step)
              + String.format(Locale.ROOT, "  running for %d s", seconds)
              + left(step, elapsed);
      if (terminal) {
        out.print(ERASE_LINE + line);
      } else {
        out.println(line);
      }
      out.flush();
    }
  }

  @Override
  public void ended(Plan.Step step, Result result) {
    estimate.ended(step, Duration.ofNanos(System.nanoTime() - startNanos), result);
    out.println((terminal ? ERASE_LINE : "") + heading(step) + "  " + outcome(step, result));
    out.flush();
  }

  @Override
  public void close() {
    if (terminal) {
      out.print(ERASE_LINE);
    }
    out.flush();
  }

  /** How long all takes that has not ended yet, if anything is known of it. */
  private String left(Plan.Step step, Duration elapsed) {
    return estimate
        .left(step, elapsed)
        .map(left -> (left.whole() ? ", about " : ", more than ") + text(left.time()) + " left")
        .orElse("");
  }

  private static String text(Duration time) {
    long seconds = Math.max(1, Math.round(time.toMillis() / 1000.0));
    if (seconds < 100) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 100
        ? minutes + " min"
        : String.format(Locale.ROOT, "%d h %d min", minutes / 60, minutes % 60);
  }

  private static String heading(Plan.Step step) {
    String of = Integer.toString(step.of());
    return String.format(
        Locale.ROOT,
        "[%" + of.length() + "d/%s] %-6s %-22s",
        step.number(),
        of,
        step.measurement().experiment().name(),
        step.contender().name());
  }

  private static String outcome(Plan.Step step, Result result) {
    Optional<String> trouble = result.trouble();
    if (trouble.isPresent()) {
      return trouble.get();
    }
    Metric headline = step.measurement().experiment().metrics().getFirst();
    return headline.title()
        + " "
        + Optional.ofNullable(result.metrics().get(headline.name()))
            .map(headline::format)
            .orElse("not available");
  }
}
