package io.selvage.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A runtime whose programs are Java classes of this lab.
 *
 * @param name the word to type
 * @param description one line
 * @param version which release
 * @param noteText what must be told beside its figures, or ""
 * @param programs by experiment, the class with the {@code main}
 * @param arguments given to every program, before the settings
 * @param ownFlags flags that its JVM gets beside those of all
 * @param rule what it cannot do
 */
record JvmContender(
    String name,
    String description,
    String version,
    String noteText,
    Map<String, Class<?>> programs,
    List<String> arguments,
    List<String> ownFlags,
    Rule rule)
    implements Contender {

  /** What a runtime cannot do, as a reason; empty if it can. */
  @FunctionalInterface
  interface Rule {
    Optional<String> refusal(Experiment experiment, Settings settings, Machine machine);
  }

  @Override
  public Optional<String> note(Optional<String> measured) {
    return noteText.isEmpty() ? Optional.empty() : Optional.of(noteText);
  }

  @Override
  public boolean takesPartIn(Experiment experiment) {
    return programs.containsKey(experiment.name());
  }

  @Override
  public Optional<String> refusal(Experiment experiment, Settings settings, Machine machine) {
    return rule.refusal(experiment, settings, machine)
        .or(() ->
            takesPartIn(experiment)
                ? Optional.empty()
                : Optional.of("it has no program for " + experiment.name()));
  }

  @Override
  public List<String> command(Experiment experiment, Settings settings, List<String> flags) {
    Class<?> program = programs.get(experiment.name());
    if (program == null) {
      throw new IllegalArgumentException(name + " has no program for " + experiment.name());
    }
    List<String> all = new ArrayList<>(arguments);
    all.addAll(settings.arguments());
    return Launch.command(flags(flags), program, all);
  }

  @Override
  public List<String> flags(List<String> flags) {
    List<String> all = new ArrayList<>(flags);
    all.addAll(ownFlags);
    return all;
  }
}
