package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;

/** A request that its receiver has put aside while it handled it: it keeps its call's deadline. */
final class StashedRequest extends Request {
  StashedRequest(Request request) {
    super(request.content, request.sender, request.call);
  }

  @Override
  protected Way way() {
    return Way.STASH;
  }
}
