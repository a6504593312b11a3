package io.selvage.lab;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * What one run of one program gave. In JSON it is one object on one line.
 *
 * @param experiment the experiment
 * @param runtime the contender
 * @param version its version
 * @param params the experiment's settings
 * @param metrics what was measured and counted; empty if the program did not run to its end
 * @param environment the machine and the flags
 * @param repeat which repeat this was, from 1
 * @param ok whether the program did all of its work
 * @param error what went wrong, or null
 * @param refused why the program was not run, or null
 */
public record Result(
    String experiment,
    String runtime,
    String version,
    Map<String, Object> params,
    Map<String, Double> metrics,
    Map<String, Object> environment,
    int repeat,
    boolean ok,
    @Nullable String error,
    @Nullable String refused) {

  /** What {@link #refused} begins with if the runtime cannot run here at all. */
  static final String ABSENT = "absent: ";

  /** What {@link #error} begins with if the program had little memory and needed more. */
  static final String DIED = "died after ";

  /** Holds copies in the same order. */
  public Result {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
  }

  /**
   * Whether this is a run of an experiment with these settings.
   *
   * @param measured the experiment
   * @param settings its settings
   * @return true if name and settings are the same
   */
  public boolean isOf(Experiment measured, Settings settings) {
    return experiment.equals(measured.name()) && texts(params).equals(texts(settings.asJson()));
  }

  /** A number that was read may be of another type than the one that was written. */
  private static Map<String, String> texts(Map<String, Object> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }

  /**
   * Whether the runtime cannot run on this machine at all.
   *
   * @return true if {@link #refused} says so
   */
  public boolean isAbsent() {
    return refused != null && refused.startsWith(ABSENT);
  }

  /**
   * Whether the program had little memory and needed more, where an experiment is about that.
   *
   * @return true if {@link #error} says so; then the program did not fail in any other way
   */
  public boolean isDeath() {
    return error != null && error.startsWith(DIED);
  }

  /**
   * Why there is no figure, for people: {@code FAILED:}, {@code died after 2.1 s:}, {@code
   * refused:} or {@code absent:} and one sentence.
   *
   * @return empty if the program did all of its work
   */
  public Optional<String> trouble() {
    if (error != null) {
      return Optional.of(isDeath() ? error : "FAILED: " + error);
    }
    return Optional.ofNullable(refused)
        .map(reason -> reason.startsWith(ABSENT) ? reason : "refused: " + reason);
  }

  /**
   * Writes this result.
   *
   * @return one line without its end
   */
  public String toJson() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("experiment", experiment);
    line.put("runtime", runtime);
    line.put("version", version);
    line.put("params", params);
    Map<String, Object> numbers = new LinkedHashMap<>();
    metrics.forEach((name, value) -> numbers.put(name, asWhole(value)));
    line.put("metrics", numbers);
    line.put("environment", environment);
    line.put("repeat", repeat);
    line.put("ok", ok);
    if (error != null) {
      line.put("error", error);
    }
    if (refused != null) {
      line.put("refused", refused);
    }
    return JSON.std.asString(line);
  }

  /**
   * Reads a result that {@link #toJson} wrote.
   *
   * @param line one line
   * @return the result
   * @throws IllegalArgumentException if it is no result
   */
  public static Result fromJson(String line) {
    try {
      Map<String, Object> object = JSON.std.mapFrom(line);
      return new Result(
          text(object, "experiment"),
          text(object, "runtime"),
          text(object, "version"),
          map(object, "params"),
          metrics(map(object, "metrics")),
          map(object, "environment"),
          ((Number) field(object, "repeat")).intValue(),
          (Boolean) field(object, "ok"),
          (String) object.get("error"),
          (String) object.get("refused"));
    } catch (JacksonException | ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException("this is no result of the lab: " + line, e);
    }
  }

  /** The numbers of a JSON object. */
  static Map<String, Double> metrics(Map<?, ?> object) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    object.forEach((name, value) -> metrics.put((String) name, ((Number) value).doubleValue()));
    return metrics;
  }

  /** Counts and bytes are written as the whole numbers that they are. */
  private static Number asWhole(double value) {
    long whole = Math.round(value);
    return value == whole ? (Number) whole : (Number) value;
  }

  private static Object field(Map<String, Object> object, String name) {
    Object value = object.get(name);
    if (value == null) {
      throw new IllegalArgumentException("this is no result of the lab, it lacks " + name);
    }
    return value;
  }

  private static String text(Map<String, Object> object, String name) {
    return (String) field(object, name);
  }

  @SuppressWarnings("unchecked") // a JSON object has texts for names
  private static Map<String, Object> map(Map<String, Object> object, String name) {
    return (Map<String, Object>) Objects.requireNonNull(field(object, name));
  }
}
