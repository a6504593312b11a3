package io.selvage.kernel.internal.process;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.Scheduler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call, from the request to its outcome: what the called process sees as its {@link ReplyTo},
 * and what the caller waits on.
 *
 * <p>The outcome is decided once, by whoever sets it first: the reply, the end of the called
 * process, the timeout, or the caller giving up. Everything later is dropped, and counted if it is
 * a reply.
 *
 * @param <R> the reply
 */
public final class PendingCall<R> implements ReplyTo<R> {
  private static final VarHandle OUTCOME;

  static {
    try {
      OUTCOME = MethodHandles.lookup().findVarHandle(PendingCall.class, "outcome", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Ends a call after a time. */
  private static final class Timeout extends TimerNode {
    private final PendingCall<?> call;

    Timeout(PendingCall<?> call) {
      this.call = call;
    }

    @Override
    protected TimerWheel wheel() {
      return call.node.wheel();
    }

    @Override
    protected void fire() {
      call.decide(TIMED_OUT);
    }

    @Override
    protected void closed() {
      call.decide(NODE_CLOSED);
    }
  }

  /** An outcome other than a reply. */
  private record Failure(ExitReason reason) {}

  private static final Object TIMED_OUT = new Object();
  private static final Object NODE_CLOSED = new Failure(ExitReason.noConnection());
  private static final Object TAKEN = new Object();
  private static final Object ABANDONED = new Object();

  private final LocalNode node;
  private final Thread waiter;

  /** Null while open. Set once, by compare-and-set; the caller's read pairs with it. */
  private volatile @Nullable Object outcome;

  /** The list of the called process's open calls; its thread only. */
  @Nullable PendingCall<?> nextOpen;

  private PendingCall(LocalNode node, Thread waiter) {
    this.node = node;
    this.waiter = waiter;
  }

  boolean isOpen() {
    return outcome == null;
  }

  private boolean decide(Object newOutcome) {
    if (OUTCOME.compareAndSet(this, null, newOutcome)) {
      node.threads().unpark(waiter);
      return true;
    }
    return false;
  }

  @Override
  public void send(R reply) {
    Objects.requireNonNull(reply, "reply");
    StackReserve.ensure();
    if (!decide(reply)) {
      node.lateReply();
    }
  }

  /** The called process has ended. */
  void fail(ExitReason reason) {
    decide(new Failure(reason));
  }

  /** Makes a call and waits for its outcome; see {@link io.selvage.kernel.Pid#call}. */
  static <M, R> R call(
      LocalProcess<M> target, Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    Objects.requireNonNull(request, "request");
    StackReserve.ensure();
    Runner runner = Runner.current();
    LocalProcess<?> caller = runner == null ? null : runner.process;
    LocalNode node = target.node;
    long nanos = LocalNode.nanos(timeout, "timeout of the call");
    if (caller == target) {
      String message = target + " called itself: it would wait for itself for ever";
      throw new CallException(message, new ExitReason.Crash(new IllegalStateException(message)));
    }
    if (caller != null) {
      caller.checkSignals();
    }
    PendingCall<R> call = new PendingCall<>(node, Thread.currentThread());
    M message = Objects.requireNonNull(request.apply(call), "the request");
    if (caller != null) {
      caller.traceSent(target, message);
    }
    Object delay = node.measuring().measures() ? node.measuring().recorder().sent(message) : null;
    Request signal =
        delay == null
            ? new Request(message, caller, call)
            : new TimedRequest(message, caller, call, delay);
    if (!target.push(signal, runner)) {
      signal.undeliverable(target);
      node.deadLetter(caller, target, message, Cause.ENDED, true);
    }
    if (call.isOpen()) {
      if (caller != null) {
        caller.extras().callee = target; // for observers
      }
      call.await(caller, runner, nanos);
      if (caller != null) {
        caller.extras().callee = null;
      }
    }
    return call.result(target, timeout);
  }

  private void await(@Nullable LocalProcess<?> caller, @Nullable Runner runner, long nanos) {
    TimerNode timer = nanos == 0 ? null : node.wheel().schedule(nanos, new Timeout(this));
    if (nanos == 0) {
      decide(TIMED_OUT);
    }
    // The worker that would be kept from running others is one of the caller's node.
    Scheduler blocked =
        caller != null && runner != null && runner.holdsWorker() ? caller.node.scheduler() : null;
    boolean interrupted = false;
    try {
      if (caller != null) {
        caller.extras().waiter = waiter;
      }
      if (blocked != null) {
        blocked.beforeBlock();
      }
      try {
        while (outcome == null) {
          if (caller != null) {
            caller.checkSignals();
          }
          if (outcome == null) {
            node.threads().park(this);
          }
          if (caller != null) {
            interrupted |= caller.foreignInterrupt();
          } else if (Thread.interrupted()) {
            interrupted = true;
            decide(new Failure(new ExitReason.Crash(new InterruptedException())));
          }
        }
      } finally {
        if (blocked != null) {
          blocked.afterBlock();
        }
        if (caller != null) {
          caller.extras().waiter = null;
        }
      }
    } finally {
      decide(ABANDONED); // no effect unless an exit signal ended the wait
      if (timer != null) {
        timer.cancel();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @SuppressWarnings("unchecked") // what is no marker was given to send(R)
  private R result(LocalProcess<?> target, Duration timeout) {
    Object decided = outcome;
    outcome = TAKEN; // the called process may keep this call for a while, but not the reply
    if (decided == TIMED_OUT) {
      throw new CallTimeoutException(
          target + " did not reply within " + timeout + ": it is slow, stuck, or forgot to reply");
    }
    if (decided instanceof Failure(ExitReason reason)) {
      String what =
          switch (reason) {
            case ExitReason.NoConnection _ ->
                "the call to " + target + " failed: its node was closed";
            case ExitReason.NoProc _ -> "the call failed: " + target + " had ended before";
            case ExitReason.Crash(InterruptedException _) ->
                "the call to " + target + " was given up: its thread was interrupted";
            default ->
                "the call failed: " + target + " ended with " + reason + " before it replied";
          };
      CallException exception = new CallException(what, reason);
      if (reason instanceof ExitReason.Crash(Throwable cause)) {
        exception.initCause(cause);
      }
      throw exception;
    }
    return (R) Objects.requireNonNull(decided);
  }

  @Override
  public String toString() {
    return "replyTo(" + (isOpen() ? "open" : "closed") + ")";
  }
}
