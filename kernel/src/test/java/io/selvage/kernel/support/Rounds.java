package io.selvage.kernel.support;

/** How often races are repeated. */
public final class Rounds {
  /** Rounds of each race; the system property {@code selvage.test.rounds} changes it. */
  public static final int RACES = Integer.getInteger("selvage.test.rounds", 100_000);

  private Rounds() {}

  /** A part of the rounds, for races whose every round is dear; at least one. */
  public static int part(int divisor) {
    return Math.max(1, RACES / divisor);
  }
}
