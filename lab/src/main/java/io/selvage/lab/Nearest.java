package io.selvage.lab;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what somebody who mistyped a name had in mind. */
final class Nearest {
  private Nearest() {}

  /**
   * {@code did you mean "ring"? Known are: ring, spawn, tasks.}, without the question if nothing is
   * near.
   */
  static String hint(String typed, Collection<String> names) {
    String known = "Known are: " + String.join(", ", names) + ".";
    return to(typed, names).map(name -> "Did you mean \"" + name + "\"? " + known).orElse(known);
  }

  /**
   * The name nearest to what was typed, if it is near at all: a third of its letters may differ.
   */
  static Optional<String> to(String typed, Collection<String> names) {
    return names.stream()
        .filter(name -> isNear(typed, name))
        .min(Comparator.comparingInt(name -> distance(typed, name)));
  }

  private static boolean isNear(String typed, String name) {
    return (typed.length() >= 3 && name.contains(typed))
        || distance(typed, name) <= Math.max(1, name.length() / 3);
  }

  /** Levenshtein's distance, one row at a time. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
