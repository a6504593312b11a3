package io.selvage.otp;

import java.time.Duration;

/** How a supervisor stops a child. Immutable. Source: {@code shutdown} of a child specification. */
public sealed interface Shutdown {
  /** Kill it at once. */
  record Brutal() implements Shutdown {}

  /**
   * Ask it to end with the exit signal {@code shutdown}, and kill it if it takes longer.
   *
   * @param limit how long it may take; zero or more
   */
  record After(Duration limit) implements Shutdown {
    /**
     * Checks the time.
     *
     * @throws IllegalArgumentException if {@code limit} is negative
     */
    public After {
      if (limit.isNegative()) {
        throw new IllegalArgumentException(
            "the shutdown limit is "
                + limit
                + ", but it is a time to wait: give zero or more, or Shutdown.brutal() to kill at"
                + " once");
      }
    }
  }

  /** Ask it to end, and wait as long as it takes: for supervisors, which have children to stop. */
  record Infinity() implements Shutdown {}

  /**
   * Kill it at once.
   *
   * @return the choice
   */
  static Shutdown brutal() {
    return new Brutal();
  }

  /**
   * Ask it to end, and kill it if it takes longer.
   *
   * @param limit how long it may take; zero or more
   * @return the choice
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  static Shutdown after(Duration limit) {
    return new After(limit);
  }

  /**
   * Ask it to end, and wait as long as it takes.
   *
   * @return the choice
   */
  static Shutdown infinity() {
    return new Infinity();
  }
}
