package io.selvage.kernel;

import java.time.Duration;
import java.util.Objects;

/**
 * When a mailbox counts as too long, and how long its senders are held back for it. Immutable: each
 * {@code with…} answers a changed copy.
 *
 * <pre>
 *   length:   0 ─────────── low ─────────── high ────────────── hard ──────►
 *                            │               │                   │
 *             senders held back go on    a sender that goes on sending      a handler that goes on sending
 *             from here downward         is held back after its handler     waits inside send
 * </pre>
 *
 * <p>Past {@code high} an event process that sends is first given shorter turns, then
 * <em>muted</em> between two messages; a direct process and a thread that is no process wait inside
 * {@code send}. What was sent is delivered in any case. Nobody is held back by a process that waits
 * (for a message, a reply, a channel), and nobody who holds others back himself; nobody for longer
 * than {@code bound} at a time.
 *
 * <p>So a mailbox holds at most about {@code high} messages and, for each of its senders, what one
 * handler of it sends: see the design page "overload" for the exact bound. Source: Pony's
 * back-pressure.
 *
 * @param high the length past which senders are held back; 1 or more
 * @param low the length at which they go on; at least 0, less than {@code high}
 * @param hard the length past which a handler waits inside {@code send}; at least {@code high}
 * @param bound the longest that a sender is held back at a time; more than zero
 */
public record Marks(int high, int low, int hard, Duration bound) {
  private static final int HIGH = 1_000;
  private static final int HARD_BY_HIGH = 10;
  private static final Marks DEFAULTS =
      new Marks(HIGH, HIGH / 2, HARD_BY_HIGH * HIGH, Duration.ofSeconds(1));
  private static final Marks OFF =
      new Marks(Integer.MAX_VALUE, HIGH, Integer.MAX_VALUE, Duration.ofSeconds(1));

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public Marks {
    Objects.requireNonNull(bound, "bound");
    if (high < 1) {
      throw new IllegalArgumentException(
          "the high mark is "
              + high
              + ", but it is a number of messages: give 1 or more, or Marks.off()");
    }
    if (low < 0 || low >= high) {
      throw new IllegalArgumentException(
          "the low mark is "
              + low
              + ", but it must be at least 0 and less than the high mark "
              + high
              + ", or nobody who is held back would ever go on");
    }
    if (hard < high) {
      throw new IllegalArgumentException(
          "the hard mark is " + hard + ", but it must not be less than the high mark " + high);
    }
    if (bound.isNegative() || bound.isZero()) {
      throw new IllegalArgumentException(
          "senders are held back for at most " + bound + ", but that must be more than zero");
    }
  }

  /**
   * The defaults: 1000, 500 and 10 000 messages, and a second.
   *
   * @return the defaults
   */
  public static Marks defaults() {
    return DEFAULTS;
  }

  /**
   * No back-pressure: mailboxes grow as long as there is memory, as Erlang's do.
   *
   * @return marks that no mailbox reaches
   */
  public static Marks off() {
    return OFF;
  }

  /**
   * Marks at a length, half of it and ten times it, with the bound of the defaults.
   *
   * @param high the length past which senders are held back; 1 or more
   * @return the marks
   * @throws IllegalArgumentException if {@code high} is less than 1
   */
  public static Marks at(int high) {
    long hard = Math.min((long) HARD_BY_HIGH * high, Integer.MAX_VALUE);
    return new Marks(high, high / 2, (int) Math.max(hard, high), DEFAULTS.bound);
  }

  /**
   * Sets the longest that a sender is held back at a time.
   *
   * @param newBound more than zero
   * @return a changed copy
   */
  public Marks withBound(Duration newBound) {
    return new Marks(high, low, hard, newBound);
  }
}
