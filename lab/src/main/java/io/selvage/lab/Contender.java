package io.selvage.lab;

import java.util.List;
import java.util.Optional;

/**
 * A runtime that takes part in experiments: what the command line and the JSON call {@code
 * runtime}. It has a program for some or all of them, and says what it cannot do before anything is
 * started. All are in {@link Contenders}.
 */
public interface Contender {
  /**
   * The word to type.
   *
   * @return the name
   */
  String name();

  /**
   * What it is.
   *
   * @return one line
   */
  String description();

  /**
   * Which release of it is measured.
   *
   * @return the version
   */
  String version();

  /**
   * What must be told beside its figures, such as a flag that only it has.
   *
   * @return one line, or empty
   */
  default Optional<String> note() {
    return Optional.empty();
  }

  /**
   * Why it cannot run here at all.
   *
   * @return what is missing and the command that installs it, or empty if it can run
   */
  default Optional<String> absence() {
    return Optional.empty();
  }

  /**
   * Whether it takes part in an experiment without being named.
   *
   * @param experiment the experiment
   * @return false if it has no program of its own for it
   */
  boolean takesPartIn(Experiment experiment);

  /**
   * Why it does not run an experiment with these settings.
   *
   * @param experiment the experiment
   * @param settings the settings
   * @param machine where it would run
   * @return the reason, or empty if it runs
   */
  Optional<String> refusal(Experiment experiment, Settings settings, Machine machine);

  /**
   * The command that runs its program; its last line of output is the program's report.
   *
   * @param experiment an experiment that it does not refuse
   * @param settings the settings
   * @param flags the flags of a JVM; of no interest to a runtime that is none
   * @return the program and its arguments
   */
  List<String> command(Experiment experiment, Settings settings, List<String> flags);

  /**
   * The flags that the program's JVM gets.
   *
   * @param flags the flags that all JVMs get
   * @return these, and its own; empty for a runtime that is no JVM
   */
  List<String> flags(List<String> flags);
}
