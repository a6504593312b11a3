package io.selvage.lab.report;

import io.selvage.lab.Contender;
import io.selvage.lab.Experiment;
import io.selvage.lab.Machine;
import io.selvage.lab.Settings;
import java.util.List;
import java.util.Optional;

/**
 * A runtime of which only results are at hand: it can be shown, and not run.
 *
 * @param name the word to type
 * @param version the version that was measured, or what the results say instead
 * @param settings what differed from its defaults, or ""
 */
record Recorded(String name, String version, String settings) implements Contender {
  @Override
  public String description() {
    return name;
  }

  @Override
  public Optional<String> note(Optional<String> measured) {
    return measured.map(told -> name + ": " + told + (settings.isEmpty() ? "" : "; " + settings));
  }

  @Override
  public boolean takesPartIn(Experiment experiment) {
    return true;
  }

  @Override
  public Optional<String> refusal(Experiment experiment, Settings asked, Machine machine) {
    return Optional.of("only its results are here");
  }

  @Override
  public List<String> command(Experiment experiment, Settings asked, List<String> flags) {
    throw new IllegalStateException("only results of " + name + " are here, and no program");
  }

  @Override
  public List<String> flags(List<String> flags) {
    return List.of();
  }
}
