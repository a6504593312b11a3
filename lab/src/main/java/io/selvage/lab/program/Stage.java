package io.selvage.lab.program;

/** What the stages of a pipeline do to a string, the same in every pipeline program. */
enum Stage {
  DOWNLOADER("Requested", "Downloaded"),
  INDEXER("Downloaded", "Indexed"),
  WRITER("Indexed", "Wrote");

  /** Ends a stage, once it has been passed on. */
  static final String STOP = "Stop";

  private final String word;
  private final String by;

  Stage(String word, String by) {
    this.word = word;
    this.by = by;
  }

  /** What the manager sends. */
  static String request(int number) {
    return "Requested " + number;
  }

  /** Replaces the word of this stage. */
  String rewrite(String text) {
    return text.replaceFirst(word, by);
  }

  /** Whether the last stage wrote what became of {@link #request}. */
  static boolean isRight(String written, long number) {
    return written.equals("Wrote " + number);
  }
}
