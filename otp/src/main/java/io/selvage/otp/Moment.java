package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Self;
import java.util.Optional;

/**
 * One call of a {@link StateMachine}'s callback: what it is for, and what to answer. A callback
 * makes one decision, adds actions to it if it likes, and answers it:
 *
 * <pre>{@code
 * return now.to(State.OPEN, data).reply(replyTo, "welcome").stateTimeout(ofSeconds(10), new Lock());
 * }</pre>
 *
 * <p>Good only inside the callback that was given it, and on its thread; a decision made elsewhere
 * throws {@link IllegalStateException}. If a callback makes several, the last one counts, and the
 * actions of the others but their replies are forgotten.
 *
 * <p>Cost: none; there is one such object for each process. Source: the results of {@code
 * gen_statem}'s state callbacks.
 *
 * @param <S> the states
 * @param <D> the data
 * @param <M> the messages
 */
public sealed interface Moment<S, D, M> permits StateMachineLoop {
  /**
   * The process.
   *
   * @return it, as its own code sees it; good only inside this callback
   */
  Self<M> self();

  /**
   * What the callback is called for.
   *
   * @return the kind of event
   */
  EventKind kind();

  /**
   * Which of the named timeouts this is.
   *
   * @return its name; empty unless the kind is {@link EventKind#NAMED_TIMEOUT}
   */
  Optional<Object> timeoutName();

  /**
   * Go to a state, with the data as they are. If it equals the present state, this is {@link
   * #stay()}; otherwise the state changes: its entry is called, what is postponed is tried again,
   * and a state timeout ends.
   *
   * @param state the next state
   * @return what to answer
   * @throws IllegalStateException in {@code init}, where there are no data yet, and if the state
   *     would change in {@code onEntry}
   */
  Transition<S, D, M> to(S state);

  /**
   * Go to a state with other data; see {@link #to(Object)}. From {@code init}: begin so.
   *
   * @param state the next state
   * @param data the data from now on
   * @return what to answer
   * @throws IllegalStateException if the state would change in {@code onEntry}
   */
  Transition<S, D, M> to(S state, D data);

  /**
   * Stay in this state.
   *
   * @return what to answer; not from {@code init}
   */
  Transition<S, D, M> stay();

  /**
   * Stay in this state with other data.
   *
   * @param data the data from now on
   * @return what to answer; not from {@code init}
   */
  Transition<S, D, M> stay(D data);

  /**
   * Stay in this state, and call its entry again, with the present state as the one before.
   *
   * @return what to answer; not from {@code init}
   */
  Transition<S, D, M> repeat();

  /**
   * Stay in this state with other data, and call its entry again.
   *
   * @param data the data from now on
   * @return what to answer; not from {@code init}
   */
  Transition<S, D, M> repeat(D data);

  /**
   * Stop: {@code terminate} runs, then the process ends. From {@code init}: do not run because
   * something failed; the start fails with this reason.
   *
   * @param reason why
   * @return what to answer
   */
  Transition<S, D, M> stop(ExitReason reason);

  /**
   * Stop with other data.
   *
   * @param reason why
   * @param data the data that {@code terminate} gets
   * @return what to answer; not from {@code init}
   */
  Transition<S, D, M> stop(ExitReason reason, D data);

  /**
   * From {@code init}: do not run, as {@link FirstStep#ignore}.
   *
   * @return what to answer
   */
  Transition<S, D, M> ignore();

  /**
   * From {@code init}: do not run, as {@link FirstStep#fail}.
   *
   * @param reason what the start tells
   * @return what to answer
   */
  Transition<S, D, M> fail(ExitReason reason);
}
