package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What every behaviour can be asked while it runs, whatever its protocol: servers, state machines,
 * supervisors, event managers. For people at a console, for tests, and for tools.
 *
 * <p>Each question is a {@linkplain Pid#call call}: it waits its turn in the mailbox, fails with
 * {@link CallException} if the process ends, and with {@link
 * io.selvage.kernel.CallTimeoutException} if there is no answer in time. It may be asked from any
 * thread and process but the one that is asked. A process that is no behaviour is refused with
 * {@link IllegalArgumentException}.
 *
 * <p>Source: the module {@code sys}.
 */
public final class Sys {
  /** For starts and calls that wait as long as it takes. */
  static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private Sys() {}

  /**
   * The state.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   * @return its state, as a whole; immutable if its code keeps it so
   */
  public static Object state(Pid<?> pid, Duration timeout) {
    return ask(pid, SystemRequest.State::new, timeout);
  }

  /**
   * Changes the state.
   *
   * @param pid a behaviour
   * @param type what its state is
   * @param change makes the new state from the present one, in that process; what it throws leaves
   *     the state as it was, and is thrown here as the cause of an {@link IllegalStateException}
   * @param timeout how long to wait for the answer; zero or more, of any length
   * @param <S> the state
   * @return the new state
   */
  public static <S> S replaceState(
      Pid<?> pid, Class<S> type, UnaryOperator<S> change, Duration timeout) {
    Objects.requireNonNull(change, "change");
    UnaryOperator<Object> checked = state -> change.apply(type.cast(state));
    SystemRequest.Replaced replaced =
        ask(pid, replyTo -> new SystemRequest.ReplaceState(checked, replyTo), timeout);
    if (replaced.failure().isPresent()) {
      throw new IllegalStateException(
          "the state of " + pid + " was not replaced: the change threw " + replaced.failure().get(),
          replaced.failure().get());
    }
    return type.cast(replaced.state().orElseThrow());
  }

  /**
   * Suspends a behaviour: from now on it answers only what this class asks; all else waits. Again
   * has no effect.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   */
  public static void suspend(Pid<?> pid, Duration timeout) {
    ask(pid, SystemRequest.Suspend::new, timeout);
  }

  /**
   * Lets a suspended behaviour go on, with what has come meanwhile first, in its order.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   */
  public static void resume(Pid<?> pid, Duration timeout) {
    ask(pid, SystemRequest.Resume::new, timeout);
  }

  /**
   * A look at a behaviour.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   * @return what it is and does
   */
  public static SystemStatus status(Pid<?> pid, Duration timeout) {
    return ask(pid, SystemRequest.StatusOf::new, timeout);
  }

  /**
   * Lets a behaviour count from now on.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   */
  public static void beginStatistics(Pid<?> pid, Duration timeout) {
    count(pid, SystemRequest.Counting.BEGIN, timeout);
  }

  /**
   * What a behaviour has counted.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   * @return empty if it does not count
   */
  public static Optional<Statistics> statistics(Pid<?> pid, Duration timeout) {
    return count(pid, SystemRequest.Counting.ASK, timeout);
  }

  /**
   * Lets a behaviour count no more.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   * @return what it has counted; empty if it did not
   */
  public static Optional<Statistics> endStatistics(Pid<?> pid, Duration timeout) {
    return count(pid, SystemRequest.Counting.END, timeout);
  }

  private static Optional<Statistics> count(
      Pid<?> pid, SystemRequest.Counting what, Duration timeout) {
    return ask(pid, replyTo -> new SystemRequest.Count(what, replyTo), timeout);
  }

  /**
   * Tells a sink of all that a behaviour handles, in place of a sink that was there. For messages
   * between processes, of any kind, see {@link io.selvage.kernel.Node#trace}.
   *
   * @param pid a behaviour
   * @param sink told in the traced process, which it slows down; if it throws it is told no more,
   *     and the log says so
   * @param timeout how long to wait for the answer; zero or more, of any length
   */
  public static void trace(Pid<?> pid, Consumer<? super SystemEvent> sink, Duration timeout) {
    Objects.requireNonNull(sink, "sink");
    Sys.<Boolean>ask(pid, replyTo -> new SystemRequest.Trace(Optional.of(sink), replyTo), timeout);
  }

  /**
   * Ends the trace of a behaviour.
   *
   * @param pid a behaviour
   * @param timeout how long to wait for the answer; zero or more, of any length
   */
  public static void untrace(Pid<?> pid, Duration timeout) {
    Sys.<Boolean>ask(pid, replyTo -> new SystemRequest.Trace(Optional.empty(), replyTo), timeout);
  }

  /**
   * Stops a behaviour in order, and waits for its end. Its {@code terminate} runs; messages that
   * were sent before are handled first.
   *
   * @param pid a behaviour
   * @param reason why
   * @param timeout how long it may take; zero or more, of any length. A process that is not done in
   *     time goes on towards its end
   * @throws CallException if it ends for another reason, or had ended before
   * @throws io.selvage.kernel.CallTimeoutException if it has not ended in time
   */
  public static void stop(Pid<?> pid, ExitReason reason, Duration timeout) {
    Objects.requireNonNull(reason, "reason");
    try {
      Sys.<Boolean>ask(pid, replyTo -> new SystemRequest.Stop(reason, replyTo), timeout);
    } catch (CallException end) {
      if (!reason.equals(end.reason())) {
        throw end;
      }
    }
  }

  private static <R> R ask(
      Pid<?> pid, Function<ReplyTo<R>, SystemMessage> request, Duration timeout) {
    Pid<SystemMessage> address =
        SystemMessage.addressOf(pid)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    pid
                        + " is no server, state machine or other behaviour, so it does not"
                        + " understand system messages: ask node.info("
                        + pid
                        + ") instead"));
    return address.call(request, timeout);
  }
}
