package io.selvage.lab;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be run, in which order.
 *
 * @param measurements the experiments, one after the other
 * @param repeats how often each program runs
 */
public record Plan(List<Measurement> measurements, int repeats) {
  /** Holds a copy of the list. */
  public Plan {
    measurements = List.copyOf(measurements);
  }

  /**
   * One experiment with its settings.
   *
   * @param experiment the experiment
   * @param settings its settings
   * @param contenders who takes part, in this order
   */
  public record Measurement(Experiment experiment, Settings settings, List<Contender> contenders) {
    /** Holds a copy of the list. */
    public Measurement {
      contenders = List.copyOf(contenders);
    }
  }

  /**
   * One run of one program.
   *
   * @param number which step of the plan this is, from 1
   * @param of how many steps the plan has
   * @param measurement the experiment
   * @param contender who runs
   * @param repeat which repeat this is, from 1
   */
  public record Step(
      int number, int of, Measurement measurement, Contender contender, int repeat) {}

  /**
   * Three experiments, short enough to be watched. Platform threads are so slow to start and to
   * wake that they get fewer processes and fewer rounds. Tasks wait half as long as by default,
   * which is still longer than it takes to start a million of them.
   *
   * @param contenders who takes part
   * @param repeats how often each program runs
   * @return the plan
   */
  public static Plan tour(List<Contender> contenders, int repeats) {
    Experiment ring = Experiments.named("ring");
    Experiment spawn = Experiments.named("spawn");
    Experiment tasks = Experiments.named("tasks");
    List<Contender> slow =
        contenders.stream().filter(contender -> contender.name().equals("java-threads")).toList();
    List<Contender> others =
        contenders.stream().filter(contender -> !slow.contains(contender)).toList();
    List<Measurement> measurements = new ArrayList<>();
    measurements.add(new Measurement(ring, ring.settings(List.of()), others));
    measurements.add(new Measurement(ring, ring.settings(List.of("rounds=30")), slow));
    measurements.add(new Measurement(spawn, spawn.settings(List.of()), others));
    measurements.add(new Measurement(spawn, spawn.settings(List.of("processes=1000")), slow));
    measurements.add(new Measurement(tasks, tasks.settings(List.of("wait=5s")), contenders));
    return new Plan(
        measurements.stream().filter(measurement -> !measurement.contenders().isEmpty()).toList(),
        repeats);
  }

  /**
   * Every experiment, with its defaults or its series of settings. A runtime takes part wherever it
   * has a program. One that is absent takes part once, so that there is one line about it.
   *
   * @param contenders who takes part; empty for those that take part if none is named
   * @param repeats how often each program runs
   * @return the plan
   */
  public static Plan all(Optional<List<Contender>> contenders, int repeats) {
    // Asking a toolchain for its version can take a second: all are asked at the same time.
    contenders.ifPresent(all -> all.parallelStream().forEach(Contender::absence));
    List<Measurement> measurements = new ArrayList<>();
    Set<Contender> told = new HashSet<>();
    for (Experiment experiment : Experiments.all()) {
      for (List<String> words : experiment.series()) {
        List<Contender> present =
            contenders.orElseGet(() -> Contenders.of(experiment)).stream()
                .filter(contender -> contender.takesPartIn(experiment))
                .filter(contender -> contender.absence().isEmpty() || told.add(contender))
                .toList();
        measurements.add(new Measurement(experiment, experiment.settings(words), present));
      }
    }
    return new Plan(
        measurements.stream().filter(measurement -> !measurement.contenders().isEmpty()).toList(),
        repeats);
  }

  /**
   * The contenders of the tour if none is named: both kinds of process, and both kinds of thread.
   *
   * @return in the order in which they are shown
   */
  public static List<Contender> tourContenders() {
    return List.of(
        Contenders.named("selvage-event"),
        Contenders.named("selvage-direct"),
        Contenders.named("java-virtual"),
        Contenders.named("java-threads"));
  }

  /**
   * The runs in their order: A B C, A B C, so that a machine that gets slower is slow for all. Who
   * is absent is not asked again.
   *
   * @return every run
   */
  public List<Step> steps() {
    List<Step> unnumbered = new ArrayList<>();
    for (Measurement measurement : measurements) {
      for (int repeat = 1; repeat <= repeats; repeat++) {
        for (Contender contender : measurement.contenders()) {
          if (repeat == 1 || contender.absence().isEmpty()) {
            unnumbered.add(new Step(unnumbered.size() + 1, 0, measurement, contender, repeat));
          }
        }
      }
    }
    int of = unnumbered.size();
    return unnumbered.stream()
        .map(step ->
            new Step(step.number(), of, step.measurement(), step.contender(), step.repeat()))
        .toList();
  }
}
