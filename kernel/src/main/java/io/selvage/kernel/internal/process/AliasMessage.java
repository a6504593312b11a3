package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import org.jspecify.annotations.Nullable;

/**
 * A message through an alias.
 *
 * @param <T> what may be sent to the alias
 */
final class AliasMessage<T> extends LimitedMessage {
  private final ProcessAlias<T> alias;
  final boolean priority;

  /** The message, once a selective receive has looked at it. */
  private @Nullable Object made;

  AliasMessage(
      T content, @Nullable LocalProcess<?> sender, ProcessAlias<T> alias, boolean priority) {
    super(content, sender, null);
    this.alias = alias;
    this.priority = priority;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    if (!alias.admits()) {
      if (!claim()) {
        return; // a limit has dropped it before, and has told of it
      }
      self.node.deadLetter(sender, Way.SEND, self, content, Cause.REVOKED, true);
    } else if (priority) {
      self.unreadFirst(this);
    } else {
      super.act(self);
    }
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    Object sent = content;
    if (sent == GONE) {
      return sent;
    }
    Object message = message(sent);
    made = message;
    return message;
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    self.extras().priorityTaken(this);
    return message(content);
  }

  @SuppressWarnings("unchecked") // what the constructor took
  private Object message(Object sent) {
    return made != null ? made : alias.message((T) sent);
  }

  // ---------------------------------------------------------------- limits

  @Override
  boolean isPlain() {
    return alias.isPlain();
  }

  /** The alias means nothing to another process. */
  @Override
  Message onward() {
    return with(content);
  }
}
