package io.selvage.channel;

/**
 * What came of receiving many items.
 *
 * @param extracted how many were taken out of the channel
 * @param handled how many of them the handler has handled
 * @param end why it ended
 */
public record IntakeResult(long extracted, long handled, End end) {
  /** Why it ended. */
  public enum End {
    /** As many were handled as were wanted. */
    HANDLED,
    /** As many were taken as were wanted. */
    EXTRACTED,
    /** Nothing came for the time that was given for that. */
    EMPTY,
    /** The whole time was over. */
    TIME_OVER,
    /** The predicate said so. */
    STOPPED,
    /** The channel is closed and empty. */
    CLOSED
  }
}
