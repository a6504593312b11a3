package io.selvage.peers;

/** The texts of the pipeline. */
public final class Rewrites {
  /** The words that an item begins with, one after the other. */
  private static final String[] WORDS = {"Requested", "Downloaded", "Indexed", "Wrote"};

  /** How many stages there are. */
  public static final int STAGES = WORDS.length - 1;

  private Rewrites() {}

  /**
   * What the manager sends.
   *
   * @param item the number of the item, from 0
   * @return the text
   */
  public static String request(int item) {
    return WORDS[0] + " " + item;
  }

  /**
   * What a stage does to an item.
   *
   * @param stage the number of the stage, from 0
   * @param item the text that it got
   * @return the text that it hands on
   */
  public static String rewrite(int stage, String item) {
    return item.replaceFirst(WORDS[stage], WORDS[stage + 1]);
  }

  /** What the last stage got out: every item, once, in the order of the requests. One thread. */
  public static final class Written {
    private static final String BEGINNING = WORDS[STAGES] + " ";

    private int items;
    private boolean wrong;

    /** An empty count. */
    public Written() {}

    /**
     * Counts an item and looks at it.
     *
     * @param item the text
     */
    public void add(String item) {
      wrong |=
          !item.startsWith(BEGINNING)
              || Integer.parseInt(item, BEGINNING.length(), item.length(), 10) != items;
      items++;
    }

    /**
     * How many items came.
     *
     * @return the count, or -1 if one of them had not the right text
     */
    public int items() {
      return wrong ? -1 : items;
    }
  }
}
