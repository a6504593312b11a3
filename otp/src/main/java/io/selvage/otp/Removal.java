package io.selvage.otp;

import io.selvage.kernel.ExitReason;

/**
 * Why a handler is no longer in its {@link EventManager}. Source: the first argument of {@code
 * gen_event}'s {@code terminate}.
 */
public sealed interface Removal {
  /** Somebody called {@link EventManager#remove}. */
  record Asked() implements Removal {}

  /** It said so itself, by {@link Handled#remove}. */
  record ByItself() implements Removal {}

  /**
   * Another stands in for it.
   *
   * @param successor the other
   */
  record Swapped(HandlerKey<?> successor) implements Removal {}

  /**
   * It, or its successor's {@code init}, threw.
   *
   * @param cause what
   */
  record Failed(Throwable cause) implements Removal {}

  /**
   * The process that supervised it has ended.
   *
   * @param reason why
   */
  record SupervisorEnded(ExitReason reason) implements Removal {}

  /**
   * The manager ends, or has ended.
   *
   * @param reason why
   */
  record ManagerEnded(ExitReason reason) implements Removal {}
}
