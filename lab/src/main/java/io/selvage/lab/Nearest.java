package io.selvage.lab;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what somebody who mistyped a name had in mind. */
public final class Nearest {
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
  public static Optional<String> to(String typed, Collection<String> names) {
    return names.stream()
        .filter(name -> isNear(typed, name))
        .min(Comparator.comparingInt(name -> distance(typed, name)));
  }

  private static boolean isNear(String typed, String name) {
    return (typed.length() >= 3 && name.contains(typed))
        || (name.length() >= 3 && distance(typed, name) <= Math.max(1, name.length() / 3));
  }

  /** How many letters must be added, left out, replaced, or swapped with their neighbour. */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int differs = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + differs, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
