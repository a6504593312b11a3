package io.selvage.peers;

/**
 * Numbers that look like chance and are the same in every run: the minimal standard generator of
 * Park and Miller, which costs next to nothing and is alike in every language. For one thread at a
 * time.
 */
public final class Generator {
  private static final long MULTIPLIER = 48_271;
  private static final long MODULUS = 0x7fff_ffff;

  private long state;

  /**
   * A sequence of its own.
   *
   * @param seed where it begins, from 1 to 2³¹ - 2
   */
  public Generator(int seed) {
    this.state = seed;
  }

  /**
   * The next number.
   *
   * @param bound above 0
   * @return a number from 0 to bound - 1
   */
  public int below(int bound) {
    state = state * MULTIPLIER % MODULUS;
    return (int) (state % bound);
  }

  /**
   * The next number.
   *
   * @return a number above 0 and below 1
   */
  public double uniform() {
    state = state * MULTIPLIER % MODULUS;
    return (double) state / MODULUS;
  }
}
