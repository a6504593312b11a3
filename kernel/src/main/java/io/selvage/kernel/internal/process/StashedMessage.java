package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;

/** A message that its receiver has put aside, which gives the stash its content alone. */
final class StashedMessage extends Message implements Stash.Stashed {
  private final long order;

  /**
   * Puts a message aside.
   *
   * @param order its place among all that the process has ever put aside
   */
  StashedMessage(Object content, long order) {
    super(content, null);
    this.order = order;
  }

  @Override
  public long order() {
    return order;
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    self.takesPutBack(content, order);
    return content;
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    return content;
  }

  @Override
  protected Way way() {
    return Way.STASH;
  }
}
