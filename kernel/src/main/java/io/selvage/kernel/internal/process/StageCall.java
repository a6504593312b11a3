package io.selvage.kernel.internal.process;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.time.TimerWheel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call whose outcome completes a stage; see {@link io.selvage.kernel.Pid#callAsync}.
 *
 * <p>Completing a stage runs what depends on it, on the completing thread. The outcome is decided
 * by the timer thread, by a process that replies or ends, in the middle of a kernel operation:
 * there foreign code must not run. So a new virtual thread completes the stage. Looking first
 * whether anything depends on it would not do, since that may be added in between; and a pool of
 * threads could be blocked by it.
 *
 * @param <R> the reply
 */
final class StageCall<R> extends Call<R> implements Runnable, Thread.UncaughtExceptionHandler {
  /** The stage, which gives the call up if it is cancelled. */
  private static final class Stage<R> extends CompletableFuture<R> {
    private final StageCall<R> call;

    Stage(StageCall<R> call) {
      this.call = call;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      if (cancelled) {
        StackReserve.ensure();
        boolean _ = call.giveUp();
      }
      return cancelled;
    }
  }

  private final Stage<R> stage = new Stage<>(this);

  private final @Nullable LocalProcess<?> caller;

  private StageCall(LocalProcess<?> target, Duration timeout, @Nullable LocalProcess<?> caller) {
    super(target, timeout);
    this.caller = caller;
  }

  @Override
  @Nullable LocalProcess<?> caller() {
    return caller;
  }

  /** Makes a call; see {@link io.selvage.kernel.Pid#callAsync}. */
  static <M, R> CompletionStage<R> call(
      LocalProcess<M> target, Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    Objects.requireNonNull(request, "request");
    long nanos = LocalNode.nanos(timeout, "timeout of the call");
    StackReserve.ensure();
    Runner runner = Runner.current();
    LocalProcess<?> caller = runner == null ? null : runner.process;
    if (caller != null) {
      caller.checkSignals();
    }
    long bound = Request.bound(runner, nanos);
    StageCall<R> call = new StageCall<>(target, Request.shown(timeout, nanos, bound), caller);
    if (caller == target) {
      call.failSelf();
      return call.stage;
    }
    if (bound == Request.OVER) {
      call.expire();
      return call.stage;
    }
    if (bound > 0) {
      call.expireAfter(bound);
    }
    boolean sent = false;
    try {
      call.send(call.make(request), caller, runner);
      sent = true;
    } finally {
      if (!sent) {
        boolean _ = call.giveUp();
      }
    }
    if (bound == 0) {
      call.expire();
    }
    return call.stage;
  }

  @Override
  protected TimerWheel wheel() {
    return target.node.wheel();
  }

  @Override
  void settled() {
    try {
      target.node.threads().processThread("selvage-completion", true, this, this).start();
    } catch (Throwable failure) { // no memory for a thread: foreign code here is the lesser evil
      target.node.fault("starting a thread that completes a call", failure);
      run();
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    target.node.fault("completing a call", failure);
  }

  /** Completes the stage. */
  @Override
  public void run() {
    Object decided = takeRaw();
    boolean reply = isReply(decided);
    boolean taken;
    try {
      taken = stage.complete(outcome(decided).orThrow());
    } catch (CallException failure) {
      taken = stage.completeExceptionally(failure);
    }
    if (!taken && reply) {
      target.node.lateReply(
          target, caller, decided); // the stage was cancelled, or completed by somebody else
    }
  }
}
