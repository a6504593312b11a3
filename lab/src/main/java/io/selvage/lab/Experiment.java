package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * One experiment: what can be set, what comes out, and how it is known that the work was done.
 *
 * <p>An experiment knows no runtime; a {@link Contender} has the program that runs it. All are in
 * {@link Experiments}.
 */
public interface Experiment {
  /**
   * The word to type.
   *
   * @return the name
   */
  String name();

  /**
   * What it does.
   *
   * @return one line
   */
  String summary();

  /**
   * What can be set.
   *
   * @return the parameters, in the order in which they are shown
   */
  List<Parameter> parameters();

  /**
   * What comes out. The first one is what a summary shows.
   *
   * @return the figures, in the order in which they are shown
   */
  List<Metric> metrics();

  /**
   * The figures that a table of many experiments shows: one or two of cost, and a count that shows
   * that the work was done.
   *
   * @return names of {@link #metrics}; by default the first two and the last count
   */
  default List<String> headlines() {
    return Stream.concat(
            metrics().stream().limit(2),
            metrics().stream().filter(Metric::isCount).reduce((a, b) -> b).stream())
        .distinct()
        .map(Metric::name)
        .toList();
  }

  /**
   * Settings known by a word: {@code ./selvage lab ring classic}.
   *
   * @return by word, what the word stands for
   */
  default Map<String, String> presets() {
    return Map.of();
  }

  /**
   * The settings with which it is measured where all experiments are: its defaults, or several
   * where one would tell too little.
   *
   * @return settings as they are typed, one list of words for each measurement
   */
  default List<List<String>> series() {
    return List.of(List.of());
  }

  /**
   * Whether it is about speed alone, so that its JVMs get their whole heap at the beginning.
   *
   * @return false if it measures memory, or a start
   */
  default boolean isOfSpeed() {
    return true;
  }

  /**
   * How much memory its programs get for what they hold, if it is about having little. A JVM gets a
   * heap of that size; a runtime without such a limit is ended when it has become larger than that
   * and what such a runtime takes for itself. A program that needs more dies, and that is a result
   * like others, not a failure.
   *
   * @param settings the settings
   * @return bytes; empty if its programs get the heap that all get, and running out of it is a
   *     failure
   */
  default OptionalLong heap(Settings settings) {
    return OptionalLong.empty();
  }

  /**
   * Checks what no single parameter can: how the values go together.
   *
   * @param settings values, each within its range
   * @throws BadInputException if they do not go together
   */
  default void check(Settings settings) {}

  /**
   * How many processes, or tasks, exist at the same time.
   *
   * @param settings the settings
   * @return the number
   */
  long population(Settings settings);

  /**
   * After what time a run that has not ended will not end: many times what the slowest known
   * runtime takes on a slow machine.
   *
   * @param settings the settings
   * @return the limit for one run
   */
  Duration timeLimit(Settings settings);

  /**
   * What the lab itself measures of a program, from outside and so of all runtimes alike. It goes
   * before what the program says.
   *
   * @param elapsed from the start of the operating-system process to its end
   * @return figures by the names of {@link #metrics}; by default none
   */
  default Map<String, Double> measuredFromOutside(Duration elapsed) {
    return Map.of();
  }

  /**
   * Decides whether a program did all of its work.
   *
   * @param settings what it was asked to do
   * @param metrics what it counted and measured
   * @return what is wrong, as the end of a sentence that begins with the program; or empty
   */
  Optional<String> verify(Settings settings, Map<String, Double> metrics);

  /**
   * What a reader must know to read the figures of a run that is right.
   *
   * @param settings what the program was asked to do
   * @param metrics what it counted and measured
   * @return the end of a sentence that begins with the program; or empty
   */
  default Optional<String> remark(Settings settings, Map<String, Double> metrics) {
    return Optional.empty();
  }

  /**
   * Reads settings as they are typed.
   *
   * @param words {@code name=value}, or the word of a preset; what comes later wins over a preset
   * @return all values
   * @throws BadInputException if a word is not understood, a value is out of range, or a parameter
   *     is given twice
   */
  default Settings settings(List<String> words) {
    return Settings.read(this, words);
  }

  /**
   * A metric by its name.
   *
   * @param name its name in JSON
   * @return the metric
   * @throws IllegalArgumentException if there is none
   */
  default Metric metric(String name) {
    return metrics().stream()
        .filter(metric -> metric.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name() + " has no metric " + name));
  }
}
