package io.selvage.lab.program;

/**
 * What a startup program says at its end. It writes the one line itself, without {@link Report} and
 * its library for JSON, whose loading would be most of what is measured; and it ends as any program
 * does, when {@code main} has returned.
 */
final class StartupReport {
  /** What the process is asked. */
  static final int QUESTION = 41;

  private StartupReport() {}

  /** What the process answers. */
  static int answer(int question) {
    return question + 1;
  }

  /** Checks the answer and prints the report. */
  static void print(int answer) {
    if (answer != QUESTION + 1) {
      throw new IllegalStateException("the answer is " + answer);
    }
    System.out.println("{\"metrics\":{\"answers\":1}}");
  }
}
