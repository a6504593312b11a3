package io.selvage.lab.program;

/** Does nothing but say so: shows whether programs run at all with the flags that a JVM got. */
public final class Ready {
  /** What it prints. */
  public static final String WORD = "ready";

  private Ready() {}

  /**
   * Prints the word.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    System.out.println(WORD);
  }
}
