package io.selvage.kernel.internal.process;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import org.jspecify.annotations.Nullable;

/**
 * The message of a call. It makes the receiver answer for its end to the caller, which saves the
 * call a monitor.
 */
sealed class Request extends Message permits TimedRequest {
  private final Call<?> call;

  /** Its place under a limit. Written before the push. */
  private @Nullable Ticket ticket;

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
    if (calls == null || ticket != null) {
      return false; // the first call makes them; a ticket must be claimed
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

  @Override
  final @Nullable Ticket ticket() {
    return ticket;
  }

  @Override
  final Message admitted(Ticket newTicket) {
    ticket = newTicket;
    return this;
  }

  @Override
  final void forgetTicket() {
    ticket = null;
  }

  @Override
  final Message with(Object newContent) {
    return new Request(newContent, sender, call);
  }

  @Override
  final boolean isWanted() {
    return call.isOpen();
  }

  @Override
  final void fail(ExitReason reason) {
    call.fail(reason);
  }
}
