package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/** A message from a process or an outside thread. */
sealed class Message extends Signal permits Request, TimedMessage, AliasMessage, StashedMessage {
  /** What was sent. */
  final Object content;

  /** Who sent it; null if a thread that is no process, or a timer, did. */
  final @Nullable LocalProcess<?> sender;

  Message(Object content, @Nullable LocalProcess<?> sender) {
    this.content = content;
    this.sender = sender;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    self.unread(this);
  }

  @Override
  protected @Nullable Object payload(LocalProcess<?> self) {
    return content;
  }

  @Override
  protected Object shown() {
    return content;
  }

  @Override
  protected @Nullable LocalProcess<?> sender() {
    return sender;
  }

  @Override
  protected boolean isMessage() {
    return true;
  }

  @Override
  protected boolean undeliverable(LocalProcess<?> self) {
    return true;
  }
}
