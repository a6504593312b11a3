package io.selvage.otp;

import java.util.Objects;

/**
 * A {@link StateMachine} as {@link Sys#state} and {@link Sys#replaceState} see it.
 *
 * @param state its state
 * @param data its data
 * @param <S> the states
 * @param <D> the data
 */
public record StateAndData<S, D>(S state, D data) {
  /** Checks that both are there. */
  public StateAndData {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(data, "data");
  }
}
