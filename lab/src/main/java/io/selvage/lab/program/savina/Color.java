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
    return switch (this) {
      case BLUE -> third(other, RED, YELLOW);
      case RED -> third(other, BLUE, YELLOW);
      case YELLOW -> third(other, BLUE, RED);
    };
  }

  /** One of two others, and not that one which is met; this if neither is met. */
  private Color third(Color met, Color one, Color two) {
    if (met == this) {
      return this;
    }
    return met == one ? two : one;
  }
}
