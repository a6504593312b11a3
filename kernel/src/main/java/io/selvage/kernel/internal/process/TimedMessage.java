package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** A message that was sent, whose wait in the mailbox is recorded. */
final class TimedMessage extends LimitedMessage implements Timed {
  private final Object recording;

  TimedMessage(Object content, @Nullable LocalProcess<?> sender, Object recording) {
    super(content, sender, null);
    this.recording = recording;
  }

  @Override
  public Object recording() {
    return recording;
  }
}
