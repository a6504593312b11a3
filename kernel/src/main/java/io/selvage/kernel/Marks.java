package io.selvage.kernel;

import java.time.Duration;
import java.util.Objects;

/**
 * When a mailbox counts as too long, and how its senders are held back for it. Immutable: each
 * {@code with…} answers a changed copy.
 *
 * <pre>
 *   length:   0 ─────────── low ─────────── high ────────────────►
 *                            │               │
 *             senders held back go on    a sender that goes on sending
 *             from here downward         is held back
 * </pre>
 *
 * <p>Past {@code high} an event process that sends first ends its turn, then is <em>muted</em>
 * between two messages; if one handler goes on sending and sending, it waits inside {@code send}
 * after {@code most} messages. A direct process and a thread that is no process wait inside {@code
 * send} at once. What was sent is delivered in any case. Nobody is held back by a process that
 * waits for a message, nor by one that waits for him; and nobody for longer than {@code bound} at a
 * time.
 *
 * <p>So a mailbox holds at most {@code high} messages and, for each sender that is no event
 * process, one more; for each event process, what it sends in two handlers. Without such a bound is
 * the mailbox of a process that selects among its messages, or that asks for each message one who
 * sends to it. The design page "overload" proves that. Source: Pony's back-pressure.
 *
 * @param high the length past which senders are held back; 1 or more
 * @param low the length at which they go on; at least 0, less than {@code high}
 * @param most how many messages one handler sends to receivers that are over their high marks
 *     before it waits inside {@code send}; 1 or more
 * @param bound the longest that a sender is held back at a time; more than zero
 */
public record Marks(int high, int low, int most, Duration bound) {
  private static final int HIGH = 1_000;
  private static final int MOST = 10_000;
  private static final Marks DEFAULTS = new Marks(HIGH, HIGH / 2, MOST, Duration.ofSeconds(1));
  private static final Marks OFF = new Marks(Integer.MAX_VALUE, HIGH, MOST, Duration.ofSeconds(1));

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
    if (most < 1) {
      throw new IllegalArgumentException(
          "a handler may send "
              + most
              + " messages before it waits inside send, but that must be 1 or more");
    }
    if (bound.isNegative() || bound.isZero()) {
      throw new IllegalArgumentException(
          "senders are held back for at most " + bound + ", but that must be more than zero");
    }
  }

  /**
   * The defaults: 1000 and 500 messages in the mailbox, 10 000 of one handler, and a second.
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
   * A high mark, and a low mark at half of it; all else as by default.
   *
   * @param high the length past which senders are held back; 1 or more
   * @return the marks
   * @throws IllegalArgumentException if {@code high} is less than 1
   */
  public static Marks at(int high) {
    return new Marks(high, high / 2, MOST, DEFAULTS.bound);
  }

  /**
   * Sets how many messages one handler sends to receivers that are over their high marks before it
   * waits inside {@code send}.
   *
   * @param newMost 1 or more
   * @return a changed copy
   */
  public Marks withMost(int newMost) {
    return new Marks(high, low, newMost, bound);
  }

  /**
   * Sets the longest that a sender is held back at a time.
   *
   * @param newBound more than zero
   * @return a changed copy
   */
  public Marks withBound(Duration newBound) {
    return new Marks(high, low, most, newBound);
  }
}
