package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** A message whose wait in the mailbox is recorded. */
final class TimedMessage extends Message {
  /** What {@link io.selvage.kernel.internal.observe.Recorder#sent} has begun. */
  final Object recording;

  TimedMessage(Object content, @Nullable LocalProcess<?> sender, Object recording) {
    super(content, sender);
    this.recording = recording;
  }
}
