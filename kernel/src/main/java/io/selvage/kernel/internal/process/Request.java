package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import org.jspecify.annotations.Nullable;

/**
 * The message of a call. It makes the receiver answer for its end to the caller, which saves the
 * call a monitor.
 */
sealed class Request extends Message permits TimedRequest {
  private final Call<?> call;

  Request(Object content, @Nullable LocalProcess<?> sender, Call<?> call) {
    super(content, sender);
    this.call = call;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    if (call.isOpen()) {
      self.extras().calls().add(call);
    }
    super.act(self);
  }

  @Override
  protected boolean isMessageAtOnce(LocalProcess<?> self) {
    OpenCalls calls = self.callsOrNull();
    if (calls == null) {
      return false; // the first call makes them
    }
    if (call.isOpen()) {
      calls.add(call);
    }
    return true;
  }

  @Override
  protected Way way() {
    return Way.CALL;
  }

  @Override
  protected boolean undeliverable(LocalProcess<?> self) {
    call.failAbsent();
    return true;
  }
}
