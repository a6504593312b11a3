package io.selvage.otp;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values of {@link Setting}s. Immutable: each method answers a changed copy. Source: the
 * environment of Erlang's applications, made typed.
 */
public final class Environment {
  private static final Environment EMPTY = new Environment(Map.of());

  private final Map<Setting<?>, Object> values;

  private Environment(Map<Setting<?>, Object> values) {
    this.values = values;
  }

  /**
   * Every setting has its standard value.
   *
   * @return the empty environment
   */
  public static Environment empty() {
    return EMPTY;
  }

  /**
   * The value of a setting.
   *
   * @param setting the setting
   * @param <T> the value
   * @return what was given, or else the standard value
   */
  @SuppressWarnings("unchecked") // with() puts only values of the setting's type
  public <T> T get(Setting<T> setting) {
    Object value = values.get(setting);
    return value == null ? setting.standard() : (T) value;
  }

  /**
   * Gives a setting a value.
   *
   * @param setting the setting
   * @param value its value
   * @param <T> the value
   * @return a changed copy
   */
  public <T> Environment with(Setting<T> setting, T value) {
    Map<Setting<?>, Object> all = new HashMap<>(values);
    all.put(Objects.requireNonNull(setting, "setting"), Objects.requireNonNull(value, "value"));
    return new Environment(Map.copyOf(all));
  }

  /**
   * Gives all settings of another environment the values that they have there.
   *
   * @param other the other
   * @return a changed copy
   */
  public Environment with(Environment other) {
    Map<Setting<?>, Object> all = new HashMap<>(values);
    all.putAll(other.values);
    return new Environment(Map.copyOf(all));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Environment environment && environment.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
