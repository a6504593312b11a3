package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import org.jspecify.annotations.Nullable;

/**
 * A message through an alias.
 *
 * @param <T> what may be sent to the alias
 */
final class AliasMessage<T> extends Message {
  private final ProcessAlias<T> alias;
  final boolean priority;

  /** The message, once a selective receive has looked at it. */
  private @Nullable Object made;

  AliasMessage(
      T content, @Nullable LocalProcess<?> sender, ProcessAlias<T> alias, boolean priority) {
    super(content, sender);
    this.alias = alias;
    this.priority = priority;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    if (!alias.admits()) {
      self.node.deadLetter(sender, Way.SEND, self, content, Cause.REVOKED, true);
    } else if (priority) {
      self.unreadFirst(this);
    } else {
      super.act(self);
    }
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    Object message = message();
    made = message;
    return message;
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    self.extras().priorityTaken(this);
    return message();
  }

  @SuppressWarnings("unchecked") // what the constructor took
  private Object message() {
    return made != null ? made : alias.message((T) content);
  }
}
