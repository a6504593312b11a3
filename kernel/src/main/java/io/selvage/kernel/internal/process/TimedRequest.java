package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** The message of a call, whose wait in the mailbox is recorded. */
final class TimedRequest extends Request implements Timed {
  private final Object recording;

  TimedRequest(Object content, @Nullable LocalProcess<?> sender, Call<?> call, Object recording) {
    super(content, sender, call);
    this.recording = recording;
  }

  @Override
  public Object recording() {
    return recording;
  }
}
