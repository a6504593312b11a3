package io.selvage.kernel.internal.process;

import io.selvage.kernel.ExitReason;
import org.jspecify.annotations.Nullable;

/** A message from a process or an outside thread. */
sealed class Message extends Signal permits Request, StashedMessage, LimitedMessage {
  /** In place of the content of a message that a limit has dropped. */
  static final Object GONE = new Object();

  /**
   * What was sent; {@link #GONE} once a limit has dropped it. Written before the push; after it,
   * only by who has dropped it, when nobody reads it any more but a selective receive, which looks
   * whether it was dropped.
   */
  Object content;

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

  // ---------------------------------------------------------------- limits

  /** Its place under a limit, or null. */
  @Nullable Ticket ticket() {
    return null;
  }

  /**
   * This message with a place under a limit. Before the push.
   *
   * @return this, or one in its place
   */
  Message admitted(Ticket ticket) {
    return new LimitedMessage(content, sender, ticket);
  }

  /** Forgets the ticket that it was given, which has no place. Before the push. */
  void forgetTicket() {}

  /**
   * Whether the content is what the receiver accepts. If not, a function of the receiver's makes
   * that of it once it is taken.
   */
  boolean isPlain() {
    return true;
  }

  /**
   * This message as it is sent to another process than it was meant for. Before the push.
   *
   * @return this, or one in its place; without a ticket
   */
  Message onward() {
    forgetTicket();
    return this;
  }

  /** The message that is sent in place of this one. Before the push. */
  Message with(Object newContent) {
    return new Message(newContent, sender);
  }

  /** Whether anybody still waits for what will come of it. */
  boolean isWanted() {
    return true;
  }

  /** If this is the request of a call, the call fails. */
  void fail(ExitReason reason) {}

  /** It was dropped: lets its content go. */
  final void letGo() {
    content = GONE;
  }

  @Override
  protected final boolean claim() {
    Ticket ticket = ticket();
    return ticket == null || ticket.claim();
  }

  @Override
  protected final boolean isDropped() {
    Ticket ticket = ticket();
    return ticket != null && ticket.isDropped();
  }
}
