package io.selvage.kernel;

import java.util.Objects;
import java.util.function.Function;

/**
 * What the reports of a node show, and how much of it. Immutable: each {@code with…} answers a
 * changed copy.
 *
 * @param text turns a message, or the state of a process, into text; the place to leave out what
 *     must not be logged. It is called on the thread of the process that has ended, or that found
 *     nobody to deliver to, under no lock. What it throws, or null, costs the report this text and
 *     nothing else
 * @param characters the most characters of one text that are shown
 * @param entries the most entries of one list that are shown
 * @param deadLetters whether what is told of dead letters shows messages by their text; else it
 *     shows their class alone
 */
public record ReportOptions(
    Function<Object, String> text, int characters, int entries, boolean deadLetters) {
  private static final int MOST = 1_000_000;

  private static final ReportOptions DEFAULTS = new ReportOptions(String::valueOf, 500, 10, false);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public ReportOptions {
    Objects.requireNonNull(text, "text");
    if (characters < 1 || characters > MOST) {
      throw new IllegalArgumentException(
          "a report shows "
              + characters
              + " characters of a text, but it must be from 1 to "
              + MOST);
    }
    if (entries < 0 || entries > MOST) {
      throw new IllegalArgumentException(
          "a report shows " + entries + " entries of a list, but it must be from 0 to " + MOST);
    }
  }

  /**
   * Messages and states by their {@code toString}, 500 characters of a text, 10 entries of a list;
   * dead letters by their class alone.
   *
   * @return the defaults
   */
  public static ReportOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how messages and states are shown.
   *
   * @param text turns one into text
   * @return a changed copy
   */
  public ReportOptions withText(Function<Object, String> text) {
    return new ReportOptions(text, characters, entries, deadLetters);
  }

  /**
   * Sets how much is shown.
   *
   * @param characters the most characters of one text; 1 to 1,000,000
   * @param entries the most entries of one list; 0 to 1,000,000
   * @return a changed copy
   */
  public ReportOptions withSize(int characters, int entries) {
    return new ReportOptions(text, characters, entries, deadLetters);
  }

  /**
   * Sets whether what is told of dead letters, in the log above all, shows the first message of a
   * kind by its text; see {@link io.selvage.kernel.spi.KernelEvent.DeadLetters}. The text is then
   * made on the thread that found nobody to deliver to.
   *
   * @param deadLetters whether it does
   * @return a changed copy
   */
  public ReportOptions withDeadLetters(boolean deadLetters) {
    return new ReportOptions(text, characters, entries, deadLetters);
  }
}
