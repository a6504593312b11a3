package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** A message that counts for a limit. */
final class LimitedMessage extends Message {
  private final Ticket ticket;

  LimitedMessage(Object content, @Nullable LocalProcess<?> sender, Ticket ticket) {
    super(content, sender);
    this.ticket = ticket;
  }

  @Override
  Ticket ticket() {
    return ticket;
  }
}
