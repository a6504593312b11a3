package io.selvage.kernel;

import io.selvage.kernel.internal.time.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * How an asynchronous call ended, as a value: a reply, the end of the called process, or no reply
 * in time. For who branches there is {@code switch}, for who does not {@link #orThrow}.
 *
 * <pre>{@code
 * switch (outcome) {
 *   case Outcome.Replied(Long cents) -> show(cents);
 *   case Outcome.Failed(var account, var reason) -> showGone(account, reason);
 *   case Outcome.TimedOut(var account, var timeout) -> showSlow(account);
 * }
 * }</pre>
 *
 * <p>Immutable, as far as the reply is. Source: what {@code gen_server:receive_response} answers.
 *
 * @param <R> the reply
 */
public sealed interface Outcome<R> {
  /**
   * The reply, or the exception that {@link Pid#call} would have thrown.
   *
   * @return the reply
   * @throws CallException if the call failed
   * @throws CallTimeoutException if there was no reply in time
   */
  R orThrow();

  /**
   * The called process replied.
   *
   * @param reply the reply
   * @param <R> the reply
   */
  record Replied<R>(R reply) implements Outcome<R> {
    /** A reply. */
    public Replied {
      Objects.requireNonNull(reply, "reply");
    }

    @Override
    public R orThrow() {
      return reply;
    }
  }

  /**
   * There will be no reply.
   *
   * @param target the called process
   * @param reason why it ended; {@link ExitReason.NoProc} if it had ended before; {@link
   *     ExitReason.NoConnection} if its node was closed; {@link Limits.Refused} if a limit of it
   *     refused the request; {@link ExitReason.Crash} with an {@link IllegalStateException} if the
   *     caller called itself, with an {@link InterruptedException} if the caller was interrupted
   * @param <R> the reply
   */
  record Failed<R>(Pid<?> target, ExitReason reason) implements Outcome<R> {
    /** A failure. */
    public Failed {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public R orThrow() {
      throw exception();
    }

    private CallException exception() {
      String what =
          switch (reason) {
            case ExitReason.NoConnection _ ->
                "the call to " + target + " failed: its node was closed";
            case ExitReason.NoProc _ -> "the call failed: " + target + " had ended before";
            case ExitReason.Crash(InterruptedException _) ->
                "the call to " + target + " was given up: its thread was interrupted";
            case Limits.Refused(var type, var limit) ->
                "the call failed: "
                    + target
                    + " has no room for the request, "
                    + type.getName()
                    + " ("
                    + limit
                    + "): it is slow or stuck; call less often, or give it a larger limit";
            default ->
                "the call failed: " + target + " ended with " + reason + " before it replied";
          };
      CallException exception = new CallException(what, reason);
      if (reason instanceof ExitReason.Crash(Throwable cause)) {
        exception.initCause(cause);
      }
      return exception;
    }
  }

  /**
   * No reply came in time. One that comes later is dropped and counted ({@link
   * NodeStats#lateReplies}).
   *
   * @param target the called process
   * @param timeout the time it had: its own, or what was left of the deadline that it inherited
   * @param <R> the reply
   */
  record TimedOut<R>(Pid<?> target, Duration timeout) implements Outcome<R> {
    /** A timeout. */
    public TimedOut {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(timeout, "timeout");
    }

    @Override
    public R orThrow() {
      throw new CallTimeoutException(
          target
              + " did not reply within "
              + DurationText.of(timeout)
              + (timeout.isZero()
                  ? ": the timeout is zero, or nothing is left of the deadline of the request for"
                      + " which the call is made; self.withoutDeadline(…) makes it all the same"
                  : ": it is slow, stuck, or forgot to reply"));
    }
  }
}
