package io.selvage.channel;

import java.time.Duration;
import java.util.Objects;

/**
 * What a channel does when it is full: how long a sender waits for room, and what happens then.
 *
 * <pre>{@code
 * Channel.bounded(10, Overflow.dropOldest());                             // at once
 * Channel.bounded(10, Overflow.refuse().after(Duration.ofMillis(500)));
 * }</pre>
 *
 * <p>Immutable. Source: the overflow reactions of SObjectizer's {@code mchain}.
 *
 * @param reaction what happens
 * @param timeout how long a sender waits before; of no meaning for {@link Reaction#BLOCK}
 */
public record Overflow(Reaction reaction, Duration timeout) {
  /** What happens to an item for which there is no room. */
  public enum Reaction {
    /** Its sender waits for as long as it takes. */
    BLOCK,
    /** It is dropped, and counted. */
    DROP_NEWEST,
    /**
     * The item that is in the channel for longest is dropped and counted, and it takes the room.
     */
    DROP_OLDEST,
    /** Its sender keeps it, and learns that by a result. */
    REFUSE,
    /** Its sender keeps it, and learns that by {@link ChannelFullException}. */
    FAIL
  }

  /**
   * A rule.
   *
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  public Overflow {
    Objects.requireNonNull(reaction, "reaction");
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "a sender would wait for "
              + timeout
              + ", but that must not be negative: give zero or more");
    }
  }

  /**
   * Senders wait for room.
   *
   * @return the rule
   */
  public static Overflow block() {
    return new Overflow(Reaction.BLOCK, Duration.ZERO);
  }

  /**
   * Drops the item for which there is no room.
   *
   * @return the rule
   */
  public static Overflow dropNewest() {
    return new Overflow(Reaction.DROP_NEWEST, Duration.ZERO);
  }

  /**
   * Drops the oldest item to make room.
   *
   * @return the rule
   */
  public static Overflow dropOldest() {
    return new Overflow(Reaction.DROP_OLDEST, Duration.ZERO);
  }

  /**
   * Refuses the item, by a result.
   *
   * @return the rule
   */
  public static Overflow refuse() {
    return new Overflow(Reaction.REFUSE, Duration.ZERO);
  }

  /**
   * Refuses the item, by an exception.
   *
   * @return the rule
   */
  public static Overflow fail() {
    return new Overflow(Reaction.FAIL, Duration.ZERO);
  }

  /**
   * This rule after a wait.
   *
   * @param timeout how long a sender waits for room first; zero or more, of any length
   * @return the rule
   * @throws IllegalArgumentException if {@code timeout} is negative, or this rule is to wait for
   *     ever
   */
  public Overflow after(Duration timeout) {
    if (reaction == Reaction.BLOCK) {
      throw new IllegalArgumentException(
          "senders that block wait for ever, so nothing comes after "
              + timeout
              + ": choose what happens then, for example refuse().after(...)");
    }
    return new Overflow(reaction, timeout);
  }
}
