package io.selvage.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The values of an experiment's parameters, all of them, in the experiment's order.
 *
 * @param values by the names of the parameters: a {@link Long}, {@link Duration}, {@link String} or
 *     {@link Boolean} each
 */
public record Settings(Map<String, Object> values) {
  /** Holds a copy in the same order. */
  public Settings {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Reads what was typed for an experiment; see {@link Experiment#settings}. */
  static Settings read(Experiment experiment, List<String> words) {
    if (experiment.parameters().isEmpty() && !words.isEmpty()) {
      throw new BadInputException(
          "nothing can be set about "
              + experiment.name()
              + ": leave out "
              + words.getFirst()
              + ".");
    }
    Map<String, Parameter> parameters = new LinkedHashMap<>();
    experiment.parameters().forEach(parameter -> parameters.put(parameter.name(), parameter));
    Map<String, String> preset = new LinkedHashMap<>();
    Map<String, String> given = new LinkedHashMap<>();
    for (String word : words) {
      if (word.contains("=")) {
        String name = word.substring(0, word.indexOf('='));
        if (!parameters.containsKey(name)) {
          throw new BadInputException(
              experiment.name()
                  + " has no parameter \""
                  + name
                  + "\". "
                  + Nearest.hint(name, parameters.keySet()));
        }
        if (given.put(name, word.substring(name.length() + 1)) != null) {
          throw new BadInputException("the parameter " + name + " is given twice: give it once.");
        }
      } else {
        Map<String, String> more = preset(experiment, word);
        if (!preset.isEmpty()) {
          throw new BadInputException(
              "\"" + word + "\" is one preset too many: give one, and single values behind it.");
        }
        preset.putAll(more);
      }
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (Parameter parameter : experiment.parameters()) {
      String text = preset.getOrDefault(parameter.name(), parameter.defaultText());
      text = given.getOrDefault(parameter.name(), text);
      values.put(parameter.name(), parameter.parse(text));
    }
    Settings settings = new Settings(values);
    experiment.check(settings);
    return settings;
  }

  private static Map<String, String> preset(Experiment experiment, String word) {
    Map<String, String> presets = experiment.presets();
    String settings = presets.get(word);
    if (settings == null) {
      Parameter first = experiment.parameters().getFirst();
      throw new BadInputException(
          "\""
              + word
              + "\" is no setting of "
              + experiment.name()
              + ": write name=value, such as "
              + first.name()
              + "="
              + first.defaultText()
              + (presets.isEmpty() ? "." : ", or " + String.join(" or ", presets.keySet()) + "."));
    }
    return Arrays.stream(settings.split(" ", -1))
        .map(setting -> setting.split("=", 2))
        .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]));
  }

  /**
   * The value of a {@link Parameter.Count}.
   *
   * @param name the parameter
   * @return the number
   */
  public long count(String name) {
    return (Long) value(name);
  }

  /**
   * The value of a {@link Parameter.Span}.
   *
   * @param name the parameter
   * @return the duration
   */
  public Duration span(String name) {
    return (Duration) value(name);
  }

  /**
   * The value of a {@link Parameter.Choice}.
   *
   * @param name the parameter
   * @return the word
   */
  public String choice(String name) {
    return (String) value(name);
  }

  /**
   * The value of a {@link Parameter.Size}.
   *
   * @param name the parameter
   * @return the bytes
   */
  public long bytes(String name) {
    String text = (String) value(name);
    return Long.parseLong(text.substring(0, text.length() - "m".length())) << 20;
  }

  /**
   * The value of a {@link Parameter.Flag}.
   *
   * @param name the parameter
   * @return yes or no
   */
  public boolean flag(String name) {
    return (Boolean) value(name);
  }

  /**
   * What JSON can hold: durations become the text a person would type.
   *
   * @return by the names of the parameters
   */
  public Map<String, Object> asJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    values.forEach((name, value) ->
        json.put(name, value instanceof Duration span ? Durations.text(span) : value));
    return json;
  }

  /**
   * What a program is given: {@code wait=500ms}, durations in milliseconds.
   *
   * @return one word for each parameter, in a new list
   */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    values.forEach((name, value) ->
        arguments.add(
            name + "=" + (value instanceof Duration span ? span.toMillis() + "ms" : value)));
    return arguments;
  }

  /**
   * As it could be typed: {@code processes=3000 rounds=1000}.
   *
   * @return one line
   */
  @Override
  public String toString() {
    return asJson().entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  /**
   * What tells these settings apart from others of the same experiment.
   *
   * @param others the others, which may include these
   * @return as it could be typed: only the values in which they are not all the same; may be ""
   */
  public String difference(List<Settings> others) {
    Map<String, Object> own = asJson();
    return own.entrySet().stream()
        .filter(entry ->
            others.stream()
                .anyMatch(other -> !entry.getValue().equals(other.asJson().get(entry.getKey()))))
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private Object value(String name) {
    return Objects.requireNonNull(values.get(name), () -> "no parameter " + name);
  }
}
