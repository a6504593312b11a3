package io.selvage.kernel.internal.process;

import java.util.function.Supplier;

/**
 * Something that the process has asked to be told; see {@link
 * io.selvage.kernel.internal.observe.ProcessOutlet}. Not counted as undelivered: nobody has sent
 * it.
 */
final class NewsSignal extends Signal {
  private final Supplier<?> message;

  NewsSignal(Supplier<?> message) {
    this.message = message;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    self.unread(this);
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    return message.get();
  }
}
