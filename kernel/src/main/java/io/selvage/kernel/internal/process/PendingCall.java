package io.selvage.kernel.internal.process;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.schedule.Spin;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call whose caller waits for the outcome on its thread; see {@link io.selvage.kernel.Pid#call}.
 *
 * @param <R> the reply
 */
final class PendingCall<R> extends Call<R> {
  private final @Nullable LocalProcess<?> caller;
  private final Thread waiter;

  private PendingCall(
      LocalProcess<?> target, Duration timeout, @Nullable LocalProcess<?> caller, Thread waiter) {
    super(target, timeout);
    this.caller = caller;
    this.waiter = waiter;
  }

  @Override
  @Nullable LocalProcess<?> caller() {
    return caller;
  }

  @Override
  protected TimerWheel wheel() {
    return target.node.wheel();
  }

  @Override
  void settled() {
    target.node.threads().unpark(waiter);
  }

  /** Makes a call and waits for its outcome; see {@link io.selvage.kernel.Pid#call}. */
  static <M, R> R call(
      LocalProcess<M> target, Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    Objects.requireNonNull(request, "request");
    StackReserve.ensure();
    Runner runner = Runner.current();
    LocalProcess<?> caller = runner == null ? null : runner.process;
    long nanos = LocalNode.nanos(timeout, "timeout of the call");
    if (caller == target) {
      String message = ownCall(target);
      throw new CallException(message, new ExitReason.Crash(new IllegalStateException(message)));
    }
    if (caller != null) {
      caller.checkSignals();
    }
    long bound = Request.bound(runner, nanos);
    PendingCall<R> call =
        new PendingCall<>(
            target, Request.shown(timeout, nanos, bound), caller, Thread.currentThread());
    if (bound == Request.OVER) {
      call.expire();
      return call.result();
    }
    if (bound > 0) {
      call.expireAfter(bound);
    }
    try {
      call.send(call.make(request), caller, runner);
      if (bound == 0) {
        call.expire();
      }
      if (call.isOpen()) {
        call.await(caller, runner);
      }
    } finally {
      boolean _ = call.giveUp(); // no effect if there is an outcome
    }
    if (caller != null && !call.hasReply()) {
      // The called process tells its links of its end before its callers: if it is linked to this
      // one, its exit signal has come, and acts before the code goes on.
      caller.checkSignals();
    }
    return call.result();
  }

  private void await(@Nullable LocalProcess<?> caller, @Nullable Runner runner) {
    // The worker that would be kept from running others is one of the caller's node.
    Scheduler blocked =
        caller != null && runner != null && runner.holdsWorker() ? caller.node.scheduler() : null;
    boolean interrupted = false;
    try {
      if (caller != null) {
        Extras x = caller.extras();
        x.callee = target; // for observers
        x.waiter = waiter;
        Backpressure.beforeReply(caller);
      }
      if (blocked != null) {
        blocked.beforeBlock();
      }
      try {
        if (blocked != null) {
          long start = Spin.start();
          while (isOpen() && Spin.goesOn(start)) {
            // it may be decided just now
          }
        }
        while (isOpen()) {
          if (caller != null) {
            caller.checkSignals();
          }
          if (isOpen()) {
            target.node.threads().park(this);
          }
          if (caller != null) {
            interrupted |= caller.foreignInterrupt();
          } else if (Thread.interrupted()) {
            interrupted = true;
            failInterrupted();
          }
        }
      } finally {
        if (blocked != null) {
          blocked.afterBlock();
        }
        if (caller != null) {
          Extras x = caller.extras();
          x.waiter = null;
          x.callee = null;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private R result() {
    return outcome(takeRaw()).orThrow();
  }
}
