package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import org.jspecify.annotations.Nullable;

/** A request that its receiver has put aside while it handled it: it keeps its call's deadline. */
final class StashedRequest extends Request implements Stash.Stashed {
  private final long order;

  /**
   * Puts a request aside.
   *
   * @param order its place among all that the process has ever put aside
   */
  StashedRequest(Request request, long order) {
    super(request.content, request.sender, request.call);
    this.order = order;
  }

  @Override
  public long order() {
    return order;
  }

  @Override
  protected @Nullable Object payload(LocalProcess<?> self) {
    self.takesPutBack(content, order);
    return super.payload(self);
  }

  /** Its process has seen it, and has it wait. */
  @Override
  boolean isWeighed() {
    return false;
  }

  @Override
  protected Way way() {
    return Way.STASH;
  }
}
