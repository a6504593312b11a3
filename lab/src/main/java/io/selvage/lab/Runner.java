package io.selvage.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * Runs plans: each program in an operating-system process of its own, one at a time, each with a
 * time limit. A program that hangs, crashes, prints nonsense or loses a message becomes a result
 * that is not ok; the others still run.
 */
public final class Runner {
  private final Machine machine;
  private final List<String> flags;
  private final Optional<Duration> timeLimit;
  private final Progress progress;
  private final Stop stop;

  /**
   * A runner.
   *
   * @param machine where it runs
   * @param flags the flags of every measured JVM
   * @param timeLimit after what time a run is killed; empty for each experiment's own limit
   * @param progress is told how it goes
   * @param stop ends it before the plan does
   */
  public Runner(
      Machine machine,
      List<String> flags,
      Optional<Duration> timeLimit,
      Progress progress,
      Stop stop) {
    this.machine = machine;
    this.flags = List.copyOf(flags);
    this.timeLimit = timeLimit;
    this.progress = progress;
    this.stop = stop;
  }

  /** Takes each result as soon as it is there. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes a result.
     *
     * @param result the result
     * @throws IOException to end the plan
     */
    void accept(Result result) throws IOException;
  }

  /**
   * Runs a plan to its end, or until it is stopped. A program that was killed by the stop has no
   * result.
   *
   * @param plan the plan
   * @param sink takes each result
   * @return the results, in the order of the plan; fewer than its steps if it was stopped
   * @throws IOException what the sink throws
   */
  public List<Result> run(Plan plan, Sink sink) throws IOException {
    List<Result> results = new ArrayList<>();
    for (Plan.Step step : plan.steps()) {
      if (stop.isRequested()) {
        break;
      }
      progress.started(step);
      Optional<Result> result = run(step);
      if (result.isEmpty()) {
        break;
      }
      results.add(result.get());
      progress.ended(step, result.get());
      sink.accept(result.get());
    }
    return results;
  }

  /** The result of one run; empty if it was stopped. */
  private Optional<Result> run(Plan.Step step) {
    Experiment experiment = step.measurement().experiment();
    Settings settings = step.measurement().settings();
    Contender contender = step.contender();
    Optional<String> refusal =
        contender.absence().or(() -> contender.refusal(experiment, settings, machine));
    if (refusal.isPresent()) {
      return Optional.of(result(step, Map.of(), null, refusal.get()));
    }
    Duration limit = timeLimit.orElseGet(() -> experiment.timeLimit(settings));
    try {
      return ChildProcess.run(
              contender.command(experiment, settings, flags),
              limit.toNanos(),
              elapsed -> progress.running(step, Duration.ofNanos(elapsed)),
              stop)
          .map(ended -> judge(step, limit, ended));
    } catch (IOException e) {
      return Optional.of(result(step, Map.of(), "could not be started: " + e.getMessage(), null));
    }
  }

  /** Reads the report of a program that has ended, and decides whether it is to be believed. */
  private Result judge(Plan.Step step, Duration limit, ChildProcess.Ended ended) {
    if (ended.timedOut()) {
      return result(
          step,
          Map.of(),
          "did not end within "
              + Durations.text(limit)
              + " and was killed: it hangs, or the machine is slow (then give a longer"
              + " --time-limit)",
          null);
    }
    if (saysOutOfMemory(ended, "unable to create native thread")) {
      return result(
          step,
          Map.of(),
          "was not given as many threads by the operating system; give fewer processes",
          null);
    }
    if (saysOutOfMemory(ended, "")) {
      return result(
          step,
          Map.of(),
          "ran out of heap; give fewer processes, or more heap such as --jvm-flags \"-Xmx8g\"",
          null);
    }
    Map<String, Object> report;
    Map<String, Double> metrics;
    try {
      report = JSON.std.mapFrom(ended.lastLine());
      metrics =
          report.get("metrics") instanceof Map<?, ?> object ? Result.metrics(object) : Map.of();
    } catch (JacksonException | ClassCastException | NullPointerException e) {
      return result(
          step,
          Map.of(),
          "ended with exit code "
              + ended.exitCode()
              + " and no report; its first words: "
              + ended.firstWords(),
          null);
    }
    if (report.get("refused") instanceof String refused) {
      return result(step, Map.of(), null, refused);
    }
    if (report.get("error") instanceof String error) {
      return result(step, Map.of(), "failed: " + error, null);
    }
    if (ended.exitCode() != 0) {
      return result(
          step,
          metrics,
          "ended with exit code " + ended.exitCode() + "; its first words: " + ended.firstWords(),
          null);
    }
    Optional<String> wrong =
        step.measurement().experiment().verify(step.measurement().settings(), metrics);
    return result(step, metrics, wrong.orElse(null), null);
  }

  private static boolean saysOutOfMemory(ChildProcess.Ended ended, String words) {
    return ended.exitCode() != 0
        && Stream.of(ended.firstLine(), ended.lastLine(), ended.firstError())
            .anyMatch(line -> line.contains("java.lang.OutOfMemoryError") && line.contains(words));
  }

  private Result result(
      Plan.Step step,
      Map<String, Double> metrics,
      @Nullable String error,
      @Nullable String refused) {
    return new Result(
        step.measurement().experiment().name(),
        step.contender().name(),
        step.contender().version(),
        step.measurement().settings().asJson(),
        metrics,
        machine.environment(step.contender().flags(flags)),
        step.repeat(),
        error == null && refused == null,
        error,
        refused);
  }
}
