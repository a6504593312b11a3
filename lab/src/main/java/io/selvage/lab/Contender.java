package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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
   * @param measured the version that was measured; empty if there is no figure of it
   * @return one line, or empty
   */
  default Optional<String> note(Optional<String> measured) {
    return Optional.empty();
  }

  /**
   * What differs from the defaults of a runtime that is not started with the lab's own flags.
   *
   * @return a few words, or ""
   */
  default String settings() {
    return "";
  }

  /**
   * Why it cannot run here at all.
   *
   * @return what is missing and the command that installs it, or empty if it can run; the end of a
   *     sentence that begins with {@code absent:}
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
   * How a preparation went.
   *
   * @param failure why its programs cannot be run, as the end of a sentence that begins with the
   *     runtime; or empty
   */
  record Preparation(Optional<String> failure) {}

  /**
   * Builds what has to be built before a program can be run. What has been prepared once is not
   * prepared again.
   *
   * @param tick told now and then how long it has taken; not called if there is nothing to do
   * @param stop ends it
   * @return how it went; empty if it was stopped
   */
  default Optional<Preparation> prepare(Consumer<Duration> tick, Stop stop) {
    return Optional.of(new Preparation(Optional.empty()));
  }

  /**
   * Whether its programs report their own peak memory; if not, it is read from outside.
   *
   * @return true for programs of this lab
   */
  default boolean tellsItsMemory() {
    return true;
  }

  /**
   * Whether its programs run on a JVM, whose heap has a limit.
   *
   * @return false if it takes no flags of a JVM
   */
  default boolean isJvm() {
    return true;
  }

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
   * The same command with its folder and its environment.
   *
   * @param experiment an experiment that it does not refuse
   * @param settings the settings
   * @param flags the flags of a JVM
   * @return not started yet
   */
  default ProcessBuilder process(Experiment experiment, Settings settings, List<String> flags) {
    return new ProcessBuilder(command(experiment, settings, flags));
  }

  /**
   * The flags that the program's JVM gets.
   *
   * @param flags the flags that all JVMs get
   * @return these, and its own; empty for a runtime that is no JVM
   */
  List<String> flags(List<String> flags);
}
