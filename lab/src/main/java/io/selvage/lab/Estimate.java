package io.selvage.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long a plan still takes, told from the runs that have ended: a run takes as long as those of
 * the same program before it; or, if there are none, as those of other programs with the same
 * settings; or as those of the same experiment. Of an experiment that has not begun nothing is
 * known. Used by one thread at a time.
 */
public final class Estimate {
  private final List<Plan.Step> steps;

  /** How long runs took, by everything they may stand for. */
  private final Map<Object, List<Duration>> ended = new LinkedHashMap<>();

  /** What a run is told from. */
  private record Program(Plan.Measurement measurement, Contender contender) {}

  /**
   * Nothing has been run yet.
   *
   * @param steps all runs of the plan
   */
  public Estimate(List<Plan.Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /**
   * What is left of a plan.
   *
   * @param time how long it still takes
   * @param whole false if the time of some runs is not known, so that it will take longer
   */
  public record Left(Duration time, boolean whole) {}

  /**
   * Takes note of a run.
   *
   * @param step the run
   * @param took how long it took
   * @param result what it gave
   */
  public void ended(Plan.Step step, Duration took, Result result) {
    note(new Program(step.measurement(), step.contender()), took);
    if (result.ok()) { // how soon somebody gives up tells nothing of the others
      note(step.measurement(), took);
      note(step.measurement().experiment(), took);
    }
  }

  private void note(Object key, Duration took) {
    ended.computeIfAbsent(key, any -> new ArrayList<>()).add(took);
  }

  /**
   * What is left while a run is under way.
   *
   * @param running the run
   * @param elapsed since its start
   * @return what is left of it and of all behind it; empty if nothing is known of any
   */
  public Optional<Left> left(Plan.Step running, Duration elapsed) {
    Duration left = Duration.ZERO;
    boolean any = false;
    boolean whole = true;
    for (Plan.Step step : steps) {
      if (step.number() < running.number()) {
        continue;
      }
      Optional<Duration> time = expected(step);
      whole &= time.isPresent();
      any |= time.isPresent();
      Duration less = step.number() == running.number() ? elapsed : Duration.ZERO;
      Duration more = time.orElse(Duration.ZERO).minus(less);
      left = left.plus(more.isNegative() ? Duration.ZERO : more);
    }
    return any ? Optional.of(new Left(left, whole)) : Optional.empty();
  }

  private Optional<Duration> expected(Plan.Step step) {
    return mean(new Program(step.measurement(), step.contender()))
        .or(() -> mean(step.measurement()))
        .or(() -> mean(step.measurement().experiment()));
  }

  private Optional<Duration> mean(Object key) {
    List<Duration> all = ended.getOrDefault(key, List.of());
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(all.size()));
  }
}
