package io.selvage.kernel.internal.process;

import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.internal.time.TimerWheel;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call of a process that does not wait: the outcome comes to its inbox as a signal, which is the
 * call itself. Until the mailbox holds it, or somebody has taken it, the call stands in the
 * caller's {@link SentCalls}, so that it ends with the caller.
 *
 * @param <R> the reply
 */
abstract sealed class OwnedCall<R> extends Call<R> permits MessageCall, CollectedCalls.Member {
  /** The process that calls. */
  final LocalProcess<?> caller;

  /** The neighbours in the caller's list, and whether this is in it. Caller's thread only. */
  @Nullable OwnedCall<?> previousSent;

  @Nullable OwnedCall<?> nextSent;
  boolean listed;

  OwnedCall(LocalProcess<?> caller, LocalProcess<?> target, Duration timeout) {
    super(target, timeout);
    this.caller = caller;
  }

  /**
   * Begins the call. Caller's thread only.
   *
   * @param nanos the timeout; the greatest there is sets no timer; {@link Request#OVER} if the call
   *     must not begin
   * @param runner the runner of the calling thread, or null
   */
  final <M> void begin(
      Function<? super ReplyTo<R>, ? extends M> request, long nanos, @Nullable Runner runner) {
    caller.extras().sentCalls().add(this);
    if (caller == target) {
      failSelf();
      return;
    }
    if (nanos == Request.OVER) {
      expire();
      return;
    }
    boolean sent = false;
    try {
      if (nanos > 0 && nanos < Long.MAX_VALUE) {
        expireAfter(nanos);
      }
      send(make(request), caller, runner);
      sent = true;
    } finally {
      if (!sent) {
        boolean _ = drop();
      }
    }
    if (nanos == 0) {
      expire();
    }
  }

  @Override
  protected final TimerWheel wheel() {
    return caller.node.wheel();
  }

  @Override
  protected final LocalProcess<?> owner() {
    return caller;
  }

  @Override
  final LocalProcess<?> caller() {
    return caller;
  }

  @Override
  final void settled() {
    if (!caller.push(this, Runner.current()) && hasReply()) {
      late(raw());
    }
  }

  @Override
  protected final void act(LocalProcess<?> self) {
    fetched();
  }

  /** The outcome has come. Caller's thread only. */
  abstract void fetched();

  /** Takes it out of the caller's list. Caller's thread only. */
  final void leave() {
    caller.extras().sentCalls().remove(this);
  }

  @Override
  protected final boolean isMessage() {
    return hasReply();
  }

  /**
   * Sees to it that the outcome, whether it has come or not, reaches nobody. Caller's thread only.
   * Answers false if it has been taken, or dropped before.
   */
  final boolean drop() {
    if (!giveUp()) {
      if (isTaken() || isAbandoned()) {
        return false;
      }
      Object decided = takeRaw();
      if (isReply(decided)) {
        target.node.lateReply(target, caller, decided);
      }
    }
    letGo();
    leave();
    return true;
  }

  /**
   * The outcome has been dropped. If it has come, it is where {@link #fetched} put it. Caller's
   * thread only.
   */
  abstract void letGo();

  /** The caller has ended, and the outcome was decided before. Caller's thread only. */
  abstract void callerEnded();
}
