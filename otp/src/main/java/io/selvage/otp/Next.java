package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Server} does after it has handled a message: its state from then on, and how it
 * goes on.
 *
 * <p>Immutable. Cost: one object; {@link #same} costs none. Source: the results of {@code
 * gen_server}'s callbacks.
 *
 * @param <S> the state
 * @param <M> the messages
 */
public final class Next<S, M> implements FirstStep<S, M> {
  /** How the server goes on. */
  enum How {
    WAIT,
    SAME,
    CONTINUE,
    IDLE,
    HIBERNATE,
    STOP
  }

  private static final Next<?, ?> SAME = new Next<>(How.SAME, null, null, null, null);

  final How how;
  final @Nullable S state;
  final @Nullable M message;
  final @Nullable Duration timeout;
  final @Nullable ExitReason reason;

  private Next(
      How how,
      @Nullable S state,
      @Nullable M message,
      @Nullable Duration timeout,
      @Nullable ExitReason reason) {
    this.how = how;
    this.state = state;
    this.message = message;
    this.timeout = timeout;
    this.reason = reason;
  }

  /**
   * Go on with this state and wait for the next message.
   *
   * @param state the state
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from a callback
   */
  public static <S, M> Next<S, M> with(S state) {
    return new Next<>(How.WAIT, Objects.requireNonNull(state, "state"), null, null, null);
  }

  /**
   * Go on with the state as it is and wait for the next message.
   *
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from a callback; not from {@code init}, where there is no state yet
   */
  @SuppressWarnings("unchecked") // holds neither
  public static <S, M> Next<S, M> same() {
    return (Next<S, M>) SAME;
  }

  /**
   * Go on with this state, and handle this message first, before all that waits. From {@code init}:
   * before the first message, even one that was sent before {@code init} answered; the start has
   * returned by then.
   *
   * @param state the state
   * @param message what to handle at once
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from a callback
   */
  public static <S, M> Next<S, M> continuing(S state, M message) {
    return new Next<>(
        How.CONTINUE,
        Objects.requireNonNull(state, "state"),
        Objects.requireNonNull(message, "message"),
        null,
        null);
  }

  /**
   * Go on with this state; if no message has come within a time, handle this one. Any message ends
   * the wait, and so does a system message, which begins it anew.
   *
   * @param state the state
   * @param timeout how long to wait; zero or more, of any length. Zero handles the message as soon
   *     as there is no other
   * @param message what to handle then
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from a callback
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  public static <S, M> Next<S, M> idle(S state, Duration timeout, M message) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "the idle timeout is " + timeout + ", but it is a time to wait: give zero or more");
    }
    return new Next<>(
        How.IDLE,
        Objects.requireNonNull(state, "state"),
        Objects.requireNonNull(message, "message"),
        timeout,
        null);
  }

  /**
   * Go on with this state, and give back the memory that is not needed while nothing comes; see
   * {@link io.selvage.kernel.Self#hibernate}.
   *
   * @param state the state
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from a callback
   */
  public static <S, M> Next<S, M> hibernate(S state) {
    return new Next<>(How.HIBERNATE, Objects.requireNonNull(state, "state"), null, null, null);
  }

  /**
   * Stop: {@link Server#terminate} runs with this state, then the process ends.
   *
   * @param state the state
   * @param reason why
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from a callback
   */
  public static <S, M> Next<S, M> stop(S state, ExitReason reason) {
    return new Next<>(
        How.STOP,
        Objects.requireNonNull(state, "state"),
        null,
        null,
        Objects.requireNonNull(reason, "reason"));
  }

  @Override
  public String toString() {
    return "Next." + how;
  }
}
