package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;

/** A message that its receiver has put aside, which gives the stash its content alone. */
final class StashedMessage extends Message {
  StashedMessage(Object content) {
    super(content, null);
  }

  @Override
  protected Way way() {
    return Way.STASH;
  }
}
