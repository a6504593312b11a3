package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** A message that can hold its place under a limit. */
sealed class LimitedMessage extends Message permits TimedMessage, AliasMessage {
  /** Its place, or null if no limit counts it. Written before the push. */
  private @Nullable Ticket ticket;

  LimitedMessage(Object content, @Nullable LocalProcess<?> sender, @Nullable Ticket ticket) {
    super(content, sender);
    this.ticket = ticket;
  }

  @Override
  final @Nullable Ticket ticket() {
    return ticket;
  }

  @Override
  final Message admitted(Ticket newTicket) {
    ticket = newTicket;
    return this;
  }

  @Override
  final void forgetTicket() {
    ticket = null;
  }
}
