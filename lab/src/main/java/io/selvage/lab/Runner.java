package io.selvage.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
  /** What a runtime without a heap of fixed size is granted for itself: code, tables, stacks. */
  private static final long BESIDE_HEAP_BYTES = 64L << 20;

  private final Machine machine;
  private final List<String> flags;
  private final Optional<Duration> timeLimit;
  private final Progress progress;
  private final Stop stop;

  /** How the preparations went; used by the thread that runs the plan. */
  private final Map<Contender, Contender.Preparation> prepared = new HashMap<>();

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
    progress.planned(plan.steps());
    prepare(plan);
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

  /** Builds everything before the first run, so that no build disturbs a measurement. */
  private void prepare(Plan plan) {
    for (Plan.Step step : plan.steps()) {
      Contender contender = step.contender();
      if (!prepared.containsKey(contender) && refusal(step).isEmpty()) {
        contender
            .prepare(elapsed -> progress.building(contender, elapsed), stop)
            .ifPresent(preparation -> prepared.put(contender, preparation));
      }
    }
  }

  /** Why a program is not run, if it is not. */
  private Optional<String> refusal(Plan.Step step) {
    return step.contender()
        .absence()
        .map(reason -> Result.ABSENT + reason)
        .or(() ->
            step.contender()
                .refusal(step.measurement().experiment(), step.measurement().settings(), machine));
  }

  /** The result of one run; empty if it was stopped. */
  private Optional<Result> run(Plan.Step step) {
    Experiment experiment = step.measurement().experiment();
    Settings settings = step.measurement().settings();
    Contender contender = step.contender();
    Optional<String> refusal = refusal(step);
    if (refusal.isPresent()) {
      return Optional.of(result(step, Map.of(), null, refusal.get()));
    }
    Contender.Preparation preparation = prepared.get(contender);
    if (preparation == null) {
      return Optional.empty();
    }
    if (preparation.failure().isPresent()) {
      return Optional.of(result(step, Map.of(), preparation.failure().get(), null));
    }
    Duration limit = timeLimit.orElseGet(() -> experiment.timeLimit(settings));
    try {
      return ChildProcess.run(
              contender.process(experiment, settings, JvmFlags.of(flags, experiment, settings)),
              limit.toNanos(),
              elapsed -> progress.running(step, Duration.ofNanos(elapsed)),
              stop,
              memoryLimit(step))
          .map(ended -> judge(step, limit, ended));
    } catch (IOException e) {
      return Optional.of(result(step, Map.of(), "could not be started: " + e.getMessage(), null));
    }
  }

  /**
   * At how many resident bytes a program is killed: only what has no heap with a limit. No limit if
   * its memory is only to be read; empty if nobody needs to.
   */
  private static OptionalLong memoryLimit(Plan.Step step) {
    Contender contender = step.contender();
    Plan.Measurement measurement = step.measurement();
    OptionalLong heap = measurement.experiment().heap(measurement.settings());
    if (heap.isPresent() && !contender.isJvm()) {
      return OptionalLong.of(heap.getAsLong() + BESIDE_HEAP_BYTES);
    }
    return !contender.tellsItsMemory() && countsMemory(measurement.experiment())
        ? OptionalLong.of(Long.MAX_VALUE)
        : OptionalLong.empty();
  }

  /** Reading memory takes a little time, too, and is left where nobody wants it. */
  private static boolean countsMemory(Experiment experiment) {
    return experiment.metrics().stream()
        .anyMatch(metric -> metric.name().equals(Experiments.PEAK_MEMORY.name()));
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
    Optional<String> death = death(step, ended);
    if (death.isPresent()) {
      return result(step, Map.of(), death.get(), null);
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
          new LinkedHashMap<>(
              report.get("metrics") instanceof Map<?, ?> object
                  ? Result.metrics(object)
                  : Map.of());
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
    String version =
        report.get("runtime_version") instanceof String told && !told.isBlank()
            ? told
            : step.contender().version();
    ended
        .peakMemory()
        .ifPresent(bytes -> metrics.putIfAbsent(Experiments.PEAK_MEMORY.name(), (double) bytes));
    metrics.putAll(
        step.measurement()
            .experiment()
            .measuredFromOutside(Duration.ofNanos(ended.elapsedNanos())));
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
    return result(step, version, metrics, wrong.orElse(null), null);
  }

  /** How a program ended that had little memory and needed more, if that is what happened. */
  private static Optional<String> death(Plan.Step step, ChildProcess.Ended ended) {
    Plan.Measurement measurement = step.measurement();
    OptionalLong heap = measurement.experiment().heap(measurement.settings());
    if (heap.isEmpty() || !(ended.grewTooLarge() || saysOutOfMemory(ended, ""))) {
      return Optional.empty();
    }
    String what =
        ended.grewTooLarge()
            ? "it had more resident than " + megabytes(heap.getAsLong() + BESIDE_HEAP_BYTES)
            : "its heap of " + megabytes(heap.getAsLong()) + " was full";
    return Optional.of(
        String.format(Locale.ROOT, "%s%.1f s: %s", Result.DIED, ended.elapsedNanos() / 1e9, what));
  }

  private static String megabytes(long bytes) {
    return (bytes >> 20) + "m";
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
    return result(step, step.contender().version(), metrics, error, refused);
  }

  private Result result(
      Plan.Step step,
      String version,
      Map<String, Double> metrics,
      @Nullable String error,
      @Nullable String refused) {
    Map<String, Object> environment =
        machine.environment(
            step.contender()
                .flags(
                    JvmFlags.of(
                        flags, step.measurement().experiment(), step.measurement().settings())));
    if (!step.contender().settings().isEmpty()) {
      environment.put("settings", step.contender().settings());
    }
    return new Result(
        step.measurement().experiment().name(),
        step.contender().name(),
        version,
        step.measurement().settings().asJson(),
        metrics,
        environment,
        step.repeat(),
        error == null && refused == null,
        error,
        refused);
  }
}
