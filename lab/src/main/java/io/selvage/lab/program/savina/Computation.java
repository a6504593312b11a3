package io.selvage.lab.program.savina;

/** The work that is none of the runtimes', as it is in the suite. */
final class Computation {
  /** What {@link #sine} is given in the suite. */
  static final double ANGLE = 37.2;

  private static final int LOGARITHMS = 100;

  private Computation() {}

  /** The little that is done for a message of the fork-join experiments. */
  static void sine(double angle) {
    double sine = Math.sin(angle);
    if (sine * sine <= 0) { // a result that is looked at is not optimized away
      throw new IllegalStateException("the sine of " + angle + " cannot be " + sine);
    }
  }

  /**
   * The work that an item is to its producer and to its consumer.
   *
   * @param value what there was before
   * @param cost how many hundreds of logarithms are added to it
   */
  static double item(double value, int cost) {
    Generator random = new Generator(cost);
    double sum = value;
    for (int i = 0; i < cost * LOGARITHMS; i++) {
      sum += Math.log(random.uniform() + 0.01);
    }
    return sum;
  }
}
