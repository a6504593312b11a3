package io.selvage.otp;

/**
 * A state that handles its events itself, for a {@link StateMachine.OfHandlers}: a record or an
 * enum constant, most often one of a sealed interface.
 *
 * <pre>{@code
 * sealed interface Lamp extends StateHandler<Lamp, Integer, Msg> {
 *   record Off() implements Lamp {
 *     public Transition<Lamp, Integer, Msg> onEvent(Moment<Lamp, Integer, Msg> now, Integer uses, Msg message) {
 *       return now.to(new On(), uses + 1);
 *     }
 *   }
 *   …
 * }
 * }</pre>
 *
 * <p>Two states are the same if they are equal. Source: the callback mode {@code state_functions}.
 *
 * @param <S> the states: the interface that extends this one
 * @param <D> the data
 * @param <M> the messages
 */
public interface StateHandler<S extends StateHandler<S, D, M>, D, M> {
  /**
   * Handles an event in this state; see {@link StateMachine#onEvent}.
   *
   * @param now this call, and what to answer
   * @param data the data
   * @param message the message
   * @return the decision
   * @throws Exception to end the process
   */
  Transition<S, D, M> onEvent(Moment<S, D, M> now, D data, M message) throws Exception;

  /**
   * Runs when this state is entered; see {@link StateMachine#onEntry}.
   *
   * @param now this call, and what to answer
   * @param before the state before
   * @param data the data
   * @return the decision
   * @throws Exception to end the process
   */
  default Transition<S, D, M> onEntry(Moment<S, D, M> now, S before, D data) throws Exception {
    return now.stay();
  }
}
