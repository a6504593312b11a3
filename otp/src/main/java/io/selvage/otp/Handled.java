package io.selvage.otp;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link EventHandler} answers after an event or a request: its state from then on, and how
 * it goes on.
 *
 * <p>Immutable. Source: the results of {@code gen_event}'s callbacks.
 *
 * @param <S> the state
 * @param <E> the events of its manager
 */
public final class Handled<S, E> {
  /** How the handler goes on. */
  enum How {
    STAY,
    HIBERNATE,
    REMOVE,
    SWAP
  }

  /** Who stands in. */
  record Swap<E, Q>(
      HandlerKey<Q> key, Function<Optional<Object>, ? extends EventHandler<?, E, Q>> successor) {}

  private static final Handled<?, ?> SAME = new Handled<>(How.STAY, null, null);

  final How how;

  /** Null to keep the state. */
  final @Nullable S state;

  final @Nullable Swap<E, ?> swap;

  private Handled(How how, @Nullable S state, @Nullable Swap<E, ?> swap) {
    this.how = how;
    this.state = state;
    this.swap = swap;
  }

  /**
   * Go on with this state.
   *
   * @param state the state
   * @param <S> the state
   * @param <E> the events
   * @return what to answer
   */
  public static <S, E> Handled<S, E> with(S state) {
    return new Handled<>(How.STAY, Objects.requireNonNull(state, "state"), null);
  }

  /**
   * Go on with the state as it is.
   *
   * @param <S> the state
   * @param <E> the events
   * @return what to answer
   */
  @SuppressWarnings("unchecked") // holds neither
  public static <S, E> Handled<S, E> same() {
    return (Handled<S, E>) SAME;
  }

  /**
   * Go on with this state, and let the manager give back the memory that it does not need while
   * nothing comes; see {@link io.selvage.kernel.Self#hibernate}.
   *
   * @param state the state
   * @param <S> the state
   * @param <E> the events
   * @return what to answer
   */
  public static <S, E> Handled<S, E> hibernate(S state) {
    return new Handled<>(How.HIBERNATE, Objects.requireNonNull(state, "state"), null);
  }

  /**
   * Remove this handler: its {@link EventHandler#terminate} runs with this state.
   *
   * @param state the state
   * @param <S> the state
   * @param <E> the events
   * @return what to answer
   */
  public static <S, E> Handled<S, E> remove(S state) {
    return new Handled<>(How.REMOVE, Objects.requireNonNull(state, "state"), null);
  }

  /**
   * Put another handler into the place of this one, whose {@link EventHandler#terminate} runs with
   * this state and answers what is handed over.
   *
   * @param state the state
   * @param key the key of the other; may be the present one
   * @param successor makes the other from what is handed over
   * @param <S> the state
   * @param <E> the events
   * @param <Q> what the other can be asked
   * @return what to answer
   */
  public static <S, E, Q> Handled<S, E> swap(
      S state,
      HandlerKey<Q> key,
      Function<Optional<Object>, ? extends EventHandler<?, E, Q>> successor) {
    return new Handled<>(
        How.SWAP,
        Objects.requireNonNull(state, "state"),
        new Swap<>(
            Objects.requireNonNull(key, "key"), Objects.requireNonNull(successor, "successor")));
  }

  @Override
  public String toString() {
    return "Handled." + how;
  }
}
