package io.selvage.kernel;

/** What became of a message given to {@link Pid#trySend}. */
public enum SendResult {
  /** It is in the mailbox. */
  SENT,
  /** There was no room for it: the mailbox is over its high mark. It is not in the mailbox. */
  REFUSED,
  /** The process has ended. The message is counted as undelivered, as with {@link Pid#send}. */
  ENDED
}
