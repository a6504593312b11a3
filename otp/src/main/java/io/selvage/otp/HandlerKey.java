package io.selvage.otp;

import java.util.Objects;

/**
 * The name of a handler in an {@link EventManager}, and the type of what it can be asked. Every key
 * is equal to itself alone.
 *
 * <pre>{@code
 * static final HandlerKey<Log.Ask> LOG = HandlerKey.named("log");
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param <Q> what the handler can be asked
 */
@SuppressWarnings("UnusedTypeParameter") // it ties a call to the handler that is added
public final class HandlerKey<Q> {
  private final String name;

  private HandlerKey(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * A new key.
   *
   * @param name for reports
   * @param <Q> what the handler can be asked
   * @return the key
   */
  public static <Q> HandlerKey<Q> named(String name) {
    return new HandlerKey<>(name);
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
