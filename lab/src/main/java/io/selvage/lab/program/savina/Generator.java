package io.selvage.lab.program.savina;

/**
 * Numbers at random that are the same in every run: the minimal standard generator of Park and
 * Miller, which costs next to nothing and is alike in every language. Used by one process.
 */
final class Generator {
  private static final long MULTIPLIER = 48_271;
  private static final int MODULUS = Integer.MAX_VALUE;

  private long state;

  /** Begins with a seed from 1 to 2³¹ - 2. */
  Generator(int seed) {
    state = seed;
  }

  /** A number from 0 to {@code bound} - 1. */
  int below(int bound) {
    return next() % bound;
  }

  /** A number between 0 and 1. */
  double uniform() {
    return (double) next() / MODULUS;
  }

  private int next() {
    state = state * MULTIPLIER % MODULUS;
    return (int) state;
  }
}
