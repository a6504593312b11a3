package io.selvage.kernel.internal.schedule;

/** When to tell of something that happens again and again: the first time, the 10th, the 100th. */
public final class Milestone {
  private Milestone() {}

  /**
   * Whether it is time to tell.
   *
   * @param count how often it has happened; 1 or more
   */
  public static boolean isReached(long count) {
    long power = 1;
    while (power < count) {
      power *= 10;
    }
    return power == count;
  }
}
