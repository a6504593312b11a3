package io.selvage.kernel.internal.process;

/** A message whose wait in the mailbox is recorded. */
sealed interface Timed permits TimedMessage, TimedRequest {
  /** What {@link io.selvage.kernel.internal.observe.Recorder#sent} has begun. */
  Object recording();
}
