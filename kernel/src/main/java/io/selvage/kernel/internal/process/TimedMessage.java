package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** A message that was sent, whose wait in the mailbox is recorded. */
final class TimedMessage extends Message implements Timed {
  private final Object recording;

  /** Its place under a limit. Written before the push. */
  private @Nullable Ticket ticket;

  TimedMessage(Object content, @Nullable LocalProcess<?> sender, Object recording) {
    super(content, sender);
    this.recording = recording;
  }

  @Override
  public Object recording() {
    return recording;
  }

  @Override
  @Nullable Ticket ticket() {
    return ticket;
  }

  @Override
  Message admitted(Ticket newTicket) {
    ticket = newTicket;
    return this;
  }

  @Override
  void forgetTicket() {
    ticket = null;
  }
}
