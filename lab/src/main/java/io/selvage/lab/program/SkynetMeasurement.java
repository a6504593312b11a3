package io.selvage.lab.program;

/** Holds the watch for the skynet programs. */
final class SkynetMeasurement {
  /** How many children each process has that is no leaf. */
  static final int CHILDREN = 10;

  private SkynetMeasurement() {}

  /**
   * What one tree did.
   *
   * @param nanos from the spawn of the root until its sum was there
   * @param sum of the numbers of all leaves
   */
  record Tree(long nanos, long sum) {}

  /** Grows a tree. */
  @FunctionalInterface
  interface SkynetProgram {
    Tree grow(int leaves) throws Exception;
  }

  static Report measure(Arguments arguments, SkynetProgram program) throws Exception {
    int leaves = arguments.count("leaves");
    long sum = leaves * (leaves - 1L) / 2;
    Repeats repeats =
        Repeats.of(() -> {
          Tree tree = program.grow(leaves);
          Repeats.ensure("the sum of the leaves", tree.sum, sum);
          return tree.nanos;
        });
    return new Report()
        .with("ms", repeats.medianNanos() / 1e6)
        .with("ms_cold", repeats.coldNanos() / 1e6)
        .with("sum", sum)
        .withPeakMemory();
  }
}
