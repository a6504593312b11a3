package io.selvage.channel;

/** What became of an item that somebody wanted to send. */
public enum SendResult {
  /** It is in the channel, or a receiver has it. */
  SENT,
  /** There was no room, and it was dropped, as the channel's {@link Overflow} says. */
  DROPPED,
  /** There was no room, and the sender still has it. */
  REFUSED,
  /** The channel is closed, and the sender still has it. */
  CLOSED
}
