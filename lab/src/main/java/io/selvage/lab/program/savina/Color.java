package io.selvage.lab.program.savina;

/** The colour of a creature. */
enum Color {
  BLUE,
  RED,
  YELLOW;

  private static final Color[] ALL = values();

  /** The colour of the creature of that number at the beginning. */
  static Color of(int number) {
    return ALL[number % ALL.length];
  }

  /** What both of two creatures become that meet: the third colour, or what they both are. */
  Color complement(Color other) {
    return this == other ? this : ALL[ALL.length - ordinal() - other.ordinal()];
  }
}
