package io.selvage.kernel.internal.process;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.internal.observe.Measuring;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call, from the request to its outcome: what the called process sees as its {@link ReplyTo}.
 *
 * <h2>The outcome</h2>
 *
 * <pre>
 *   OPEN (null) ── send(reply), any thread ─────────► the reply ─┐
 *               ── the called process has ended ────► Failure   ─┼─ settled(): the caller is told ── it takes it ──► TAKEN (or TAKEN_FAILURE)
 *               ── timeout, the timer thread ───────► TIMED_OUT ─┘
 *               ── the caller gives up ─────────────► ABANDONED
 * </pre>
 *
 * <p>It is decided once, by a compare-and-set, by whoever comes first. Everything later is dropped,
 * and counted if it is a reply.
 *
 * <h2>One object</h2>
 *
 * <p>A call is its own reply address, its own timer, and, if the outcome comes to a process as a
 * signal, that signal. So a call with its reply allocates this and the request. As a timer it is
 * chained by {@link Signal#next} in a bucket of the wheel, as a signal in an inbox: it must have
 * left the one before it enters the other. Whoever decides cancels the timer first, and cancelling
 * waits for a timer that is just firing; and the timer is set before anybody else knows the call.
 *
 * <h2>What the called process keeps</h2>
 *
 * <p>The called process answers for its end to its callers, which saves each call a monitor: it
 * holds the calls that it may not have answered in {@link OpenCalls}. Those that end otherwise than
 * by a reply are reported there, so that a process which never answers does not hold them.
 *
 * @param <R> the reply
 */
public abstract sealed class Call<R> extends TimerNode implements ReplyTo<R>
    permits PendingCall, StageCall, OwnedCall {
  private static final VarHandle OUTCOME;

  static {
    try {
      OUTCOME = MethodHandles.lookup().findVarHandle(Call.class, "outcome", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** An outcome other than a reply. */
  private record Failure(ExitReason reason) {}

  private static final Object TIMED_OUT = new Object();
  private static final Object NODE_CLOSED = new Failure(ExitReason.noConnection());
  private static final Object NO_PROC = new Failure(ExitReason.noProc());
  private static final Object TAKEN = new Object();
  private static final Object ABANDONED = new Object();

  /** Taken, and it was no reply. */
  private static final Object TAKEN_FAILURE = new Object();

  /** The called process. */
  final LocalProcess<?> target;

  /** Its own, or what was left of the deadline that it has inherited. */
  private final Duration timeout;

  /** Null while open. Set once, by compare-and-set; the caller's read pairs with it. */
  private volatile @Nullable Object outcome;

  /** The list of the called process's open calls; its thread only. */
  @Nullable Call<?> nextOpen;

  /** Whether it was given to the wheel. Written before the call is known to others. */
  private boolean timed;

  /** Whether {@link #made} holds a time. Written before the call is known to others. */
  private boolean noted;

  /** When it was sent to a process that asks how long it waits, by the wheel's time. */
  private long made;

  Call(LocalProcess<?> target, Duration timeout) {
    this.target = target;
    this.timeout = timeout;
  }

  /**
   * The outcome has been decided, and not by the caller's giving up: tells the caller. The timer is
   * not set any more. Runs on the thread of whoever decided, perhaps the timer thread: must not
   * block and must not run user code.
   */
  abstract void settled();

  /** The process that calls; null if a thread does that is none. */
  abstract @Nullable LocalProcess<?> caller();

  // ---------------------------------------------------------------- its deadline

  @Override
  public final boolean isOpen() {
    return outcome == null;
  }

  /**
   * Whether it is over without a reply, so that what it asked for is in vain. Not one whose timeout
   * is zero: it has never waited, and its request is meant to be handled all the same. Any thread.
   */
  final boolean isLapsed() {
    Object decided = outcome;
    return decided != null && !isAnswer(decided) && !timeout.isZero();
  }

  private static boolean isAnswer(Object decided) {
    return decided == TAKEN
        || (decided != ABANDONED && decided != TAKEN_FAILURE && isReply(decided));
  }

  /**
   * How long its caller still waits; zero or less if it does not. The greatest there is if there is
   * no limit: then it has no timeout, or has been answered. Any thread that handles its request.
   */
  final long nanosLeft() {
    Object decided = outcome;
    if (decided != null) {
      return isAnswer(decided) || timeout.isZero() ? Long.MAX_VALUE : 0;
    }
    return nanosUntilDue();
  }

  /**
   * How long ago it was made, in nanoseconds; less than zero if that is not known, since it has no
   * timeout and its receiver does not ask. Any thread that was told of the call.
   */
  final long nanosWaited() {
    if (noted) {
      return Math.max(0, wheel().now() - made);
    }
    long left = nanosUntilDue();
    return left == Long.MAX_VALUE ? -1 : Math.max(0, timeout.toNanos() - left);
  }

  @Override
  public final Optional<Duration> timeLeft() {
    long left = nanosLeft();
    return left == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, left)));
  }

  // ---------------------------------------------------------------- making it

  /** Sets the timer. Before anybody else knows the call. */
  final void expireAfter(long nanos) {
    if (target.isAlive()) { // else sending fails the call; and the wheel may be closed
      timed = true;
      wheel().schedule(nanos, this);
    }
  }

  /**
   * Sends the request, or fails the call if there is nobody to send it to.
   *
   * @param request the request
   * @param caller the process that calls, or null
   * @param runner the runner of the calling thread, or null
   */
  final void send(Object request, @Nullable LocalProcess<?> caller, @Nullable Runner runner) {
    if (caller != null) {
      caller.traceSent(target, request);
    }
    Measuring measuring = target.node.measuring();
    Object delay = measuring.measures() ? measuring.recorder().sent(request) : null;
    Request signal =
        delay == null
            ? new Request(request, caller, this)
            : new TimedRequest(request, caller, this, delay);
    // Whoever waits for the reply sends no more meanwhile.
    boolean waits = this instanceof PendingCall;
    if (target.isLimited()) {
      if (target.admission() != null) {
        made = wheel().now();
        noted = true;
      }
      Limiting.send(target, signal, runner, waits ? Limiting.Manner.CALL : Limiting.Manner.SEND, 0);
      return;
    }
    boolean sent = waits ? target.push(signal, runner) : target.pushMessage(signal, caller, runner);
    if (!sent) {
      signal.undeliverable(target);
      target.node.deadLetter(caller, Way.CALL, target, request, Cause.ENDED, true);
    }
  }

  /** The request, made by the user's function. */
  final <M> M make(Function<? super ReplyTo<R>, ? extends M> request) {
    return Objects.requireNonNull(
        request.apply(this), "the function that makes the request answered null");
  }

  // ---------------------------------------------------------------- deciding it

  private boolean decide(Object newOutcome) {
    if (!OUTCOME.compareAndSet(this, null, newOutcome)) {
      return false;
    }
    stopTimer();
    settled();
    return true;
  }

  private void stopTimer() {
    if (timed) {
      cancel();
    }
  }

  @Override
  public final void send(R reply) {
    Objects.requireNonNull(reply, "reply");
    StackReserve.ensure();
    if (!decide(reply)) {
      late(reply);
    }
  }

  /** A reply of the calling thread has reached nobody. */
  final void late(Object reply) {
    Runner runner = Runner.current();
    target.node.lateReply(runner == null ? null : runner.process, caller(), reply);
  }

  /** The called process has ended. */
  final void fail(ExitReason reason) {
    decide(new Failure(reason));
  }

  /** The called process does not serve it. Owner of that only; false if it was over already. */
  final boolean refuse(ExitReason reason) {
    boolean first = decide(new Failure(reason));
    if (first) {
      target.refusedCall();
    }
    return first;
  }

  /** The called process had ended. */
  final void failAbsent() {
    decide(NO_PROC);
  }

  /** A process must not wait for itself. */
  final void failSelf() {
    fail(new ExitReason.Crash(new IllegalStateException(ownCall(target))));
  }

  static String ownCall(LocalProcess<?> target) {
    return target + " called itself: it would wait for itself for ever";
  }

  /** The thread that waits for the outcome was interrupted. */
  final void failInterrupted() {
    if (decide(new Failure(new ExitReason.Crash(new InterruptedException())))) {
      target.callOver();
    }
  }

  /** The time is over. */
  final void expire() {
    if (decide(TIMED_OUT)) {
      target.callOver();
    }
  }

  /** The caller does not want the outcome any more. Answers false if there is one. */
  final boolean giveUp() {
    if (!OUTCOME.compareAndSet(this, null, ABANDONED)) {
      return false;
    }
    stopTimer();
    target.callOver();
    return true;
  }

  @Override
  protected void fire() {
    // Not cancelled: it has left its bucket already, and cancelling would wait for this to end.
    timed = false;
    expire();
  }

  @Override
  protected void closed() {
    timed = false;
    decide(target.isAlive() ? NODE_CLOSED : NO_PROC);
  }

  // ---------------------------------------------------------------- taking it

  /** Whether the outcome is a reply that nobody has taken. */
  final boolean hasReply() {
    Object decided = outcome;
    return decided != null && decided != TAKEN && isAnswer(decided);
  }

  /** Whether what {@link #takeRaw} answered is a reply. */
  static boolean isReply(Object decided) {
    return decided != TIMED_OUT && !(decided instanceof Failure);
  }

  final boolean isTaken() {
    Object decided = outcome;
    return decided == TAKEN || decided == TAKEN_FAILURE;
  }

  final boolean isAbandoned() {
    return outcome == ABANDONED;
  }

  /** The outcome, once it is decided, for somebody who only looks. */
  final Object raw() {
    return Objects.requireNonNull(outcome);
  }

  /**
   * Takes the outcome, once it is decided, and lets go of the reply: the called process may keep
   * this call for a while.
   */
  final Object takeRaw() {
    Object decided = Objects.requireNonNull(outcome);
    // Others ask only whether it is null, and whether it was a reply.
    OUTCOME.setRelease(this, isReply(decided) ? TAKEN : TAKEN_FAILURE);
    return decided;
  }

  /** What {@link #takeRaw} answered, as a value. */
  @SuppressWarnings("unchecked") // what is no marker was given to send(R)
  final Outcome<R> outcome(Object decided) {
    if (decided == TIMED_OUT) {
      return new Outcome.TimedOut<>(target, timeout);
    }
    return decided instanceof Failure(ExitReason reason)
        ? new Outcome.Failed<>(target, reason)
        : new Outcome.Replied<>((R) decided);
  }

  @Override
  public String toString() {
    return "replyTo(" + (isOpen() ? "open" : "closed") + ")";
  }
}
