package io.selvage.kernel;

import java.util.Objects;

/**
 * A typed key of the process dictionary; see {@link Self#put}. Every key is equal to itself alone,
 * whatever its name, so no other code can use it that was not given it.
 *
 * <pre>{@code
 * static final ProcessKey<String> REQUEST = ProcessKey.named("request");
 * }</pre>
 *
 * <p>Immutable. Source: the keys of Erlang's process dictionary, made typed.
 *
 * @param <V> what is kept under it
 */
@SuppressWarnings("UnusedTypeParameter") // it ties get and put together
public final class ProcessKey<V> {
  private final String name;

  private ProcessKey(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * A new key.
   *
   * @param name for reports
   * @param <V> what is kept under it
   * @return the key
   */
  public static <V> ProcessKey<V> named(String name) {
    return new ProcessKey<>(name);
  }

  /**
   * Its name.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }
}
