package io.selvage.kernel.support;

import io.selvage.kernel.Self;

/**
 * Something that a {@link Probe} does inside its process.
 *
 * @param <T> what comes of it
 */
@FunctionalInterface
public interface Job<T> {
  /** Does it. */
  T run(Self<Msg> self) throws Exception;

  /** A job that answers nothing. */
  @FunctionalInterface
  interface Plain {
    /** Does it. */
    void run(Self<Msg> self) throws Exception;
  }
}
