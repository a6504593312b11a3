package io.selvage.kernel.internal.process;

import io.selvage.kernel.Admission;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The message of a call. It makes the receiver answer for its end to the caller, which saves the
 * call a monitor.
 *
 * <h2>The deadline</h2>
 *
 * <p>The deadline of a request is that of its call, which is its own timer: nothing is sent beside
 * it. Two things follow from it:
 *
 * <ul>
 *   <li>Whoever takes a request from a mailbox looks first whether the call is over without a
 *       reply; then it is a dead letter, and is not handled.
 *   <li>The request that is being handled stands in {@link Runner#serving}, where the calls that
 *       are made meanwhile find it. There, and not in the process, since a handler needs its runner
 *       for a call anyway, and a process must have no field for it: most are never called.
 * </ul>
 *
 * <p>Sources: the deadlines of gRPC and the contexts of Go, which are handed on by hand; here the
 * kernel knows what is being handled.
 */
sealed class Request extends Message permits TimedRequest, StashedRequest {
  /** In place of nanoseconds: the caller waits no more, so a call for it must not begin. */
  static final long OVER = -1;

  /** The call. */
  final Call<?> call;

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

  /**
   * The content, for the process that handles it from now on; or null if nobody waits for the reply
   * any more, or it has waited too long: then this is counted, and the next message must be taken
   * instead.
   */
  @Override
  protected @Nullable Object payload(LocalProcess<?> self) {
    if (call.isLapsed()) {
      drop(self);
      return null;
    }
    AdmissionControl admission = self.admission();
    if (admission != null && isWeighed() && isRefused(self, admission)) {
      return null;
    }
    self.serves(this);
    return content;
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    return content;
  }

  /** Whether it matters how long it has waited. Owner only. */
  boolean isWeighed() {
    return call.isOpen() && !(content instanceof SystemMessage);
  }

  private boolean isRefused(LocalProcess<?> self, AdmissionControl control) {
    long waited = call.nanosWaited();
    if (waited < 0 // it has no timeout, and was made before there was an admission
        || !control.refuses(waited, self.node.nanoTime(), self.observedLength() == 0)) {
      return false;
    }
    if (call.refuse(new Admission.Refused(Duration.ofNanos(waited), control.admission))) {
      self.node.deadLetter(sender, way(), self, content, Cause.OVERLOADED, true);
    } else {
      drop(self); // its caller has given up just now
    }
    return true;
  }

  /** Counts this, which is not handled, since nobody waits for the reply. */
  final void drop(LocalProcess<?> self) {
    self.node.deadLetter(sender, way(), self, content, Cause.EXPIRED, true);
  }

  /**
   * How long a call may take that is made on a thread.
   *
   * @param runner the runner of the calling thread, or null
   * @param nanos its own timeout in nanoseconds
   * @return that, or less if less is left of the request that is handled there, or {@link #OVER} if
   *     nothing is
   */
  static long bound(@Nullable Runner runner, long nanos) {
    if (runner == null || runner.serving == null || runner.unbound || nanos == 0) {
      return nanos; // a timeout of zero waits for nothing anyway
    }
    long left = runner.serving.call.nanosLeft();
    return left > 0 ? Math.min(nanos, left) : OVER;
  }

  /**
   * The timeout as it is shown, after {@link #bound}.
   *
   * @param own the timeout of the call's own
   * @param nanos the same in nanoseconds
   * @param bound what {@link #bound} made of it
   */
  static Duration shown(Duration own, long nanos, long bound) {
    return bound == nanos ? own : Duration.ofNanos(Math.max(0, bound));
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
