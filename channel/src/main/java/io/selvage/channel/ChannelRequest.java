package io.selvage.channel;

/**
 * Something that a process wants from channels, and whose outcome will come to it as a message: an
 * item, room for one, or whichever case of a {@link Select} comes first.
 *
 * <p>Ends with the process, and leaves no trace in the channels then.
 */
public sealed interface ChannelRequest permits MessageWait {
  /**
   * Takes the request back: its message will not come, and nothing was sent or received. Any
   * thread.
   *
   * @return false if it is too late: its message has come, or is on its way; or if it was cancelled
   *     before
   */
  boolean cancel();
}
