package io.selvage.kernel;

/** What became of a message given to {@link Pid#trySend}. */
public enum SendResult {
  /** It is in the mailbox, or in that to which a limit has redirected it. */
  SENT,
  /**
   * There was no room for it: the mailbox is over its high mark, or the limit of its type is
   * reached. It is not in the mailbox.
   */
  REFUSED,
  /**
   * The process has ended, perhaps by this. The message is counted as undelivered, as with {@link
   * Pid#send}.
   */
  ENDED
}
