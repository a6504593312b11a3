package io.selvage.otp;

import java.util.Objects;

/**
 * A typed key of an {@link Environment}, with the value that it has unless somebody gives another.
 * Every setting is equal to itself alone.
 *
 * <pre>{@code
 * static final Setting<Integer> PORT = Setting.of("port", 8080);
 * }</pre>
 *
 * <p>Immutable, as far as the value is.
 *
 * @param <T> the value
 */
public final class Setting<T> {
  private final String name;
  private final T standard;

  private Setting(String name, T standard) {
    this.name = Objects.requireNonNull(name, "name");
    this.standard = Objects.requireNonNull(standard, "standard");
  }

  /**
   * A new setting.
   *
   * @param name for reports
   * @param standard its value unless another is given
   * @param <T> the value
   * @return the setting
   */
  public static <T> Setting<T> of(String name, T standard) {
    return new Setting<>(name, standard);
  }

  /**
   * Its name.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Its value unless another is given.
   *
   * @return the value
   */
  public T standard() {
    return standard;
  }

  @Override
  public String toString() {
    return name;
  }
}
