package io.selvage.otp;

import io.selvage.kernel.Self;
import java.util.Optional;

/**
 * One of the handlers of an {@link EventManager}: is told every event, and may be asked something
 * of its own. Its callbacks run in the manager's process, one at a time. The state is an immutable
 * value that each callback gets and answers.
 *
 * <p>A handler that throws is removed, alone, and the log says so: neither the manager nor the
 * other handlers are harmed.
 *
 * <p>Source: the callbacks of {@code gen_event}.
 *
 * @param <S> the state
 * @param <E> the events
 * @param <Q> what it can be asked; {@link Void} for nothing
 */
public interface EventHandler<S, E, Q> {
  /**
   * Makes the first state.
   *
   * @param self the manager's process, as its own code sees it; good only inside this call
   * @return the state
   * @throws Exception not to be added
   */
  S init(Self<E> self) throws Exception;

  /**
   * Handles one event.
   *
   * @param self the manager's process, as its own code sees it; good only inside this call
   * @param state the present state
   * @param event the event
   * @return the next state, and how to go on
   * @throws Exception to be removed
   */
  Handled<S, E> onEvent(Self<E> self, S state, E event) throws Exception;

  /**
   * Handles what it was asked by {@link EventManager#call}.
   *
   * @param self the manager's process, as its own code sees it; good only inside this call
   * @param state the present state
   * @param request the request, with its reply address
   * @return the next state, and how to go on
   * @throws Exception to be removed, which the caller is told
   */
  default Handled<S, E> onCall(Self<E> self, S state, Q request) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " can not be asked anything: implement onCall");
  }

  /**
   * Runs when the handler is removed, for whatever reason; not if the manager is killed.
   *
   * @param self the manager's process, as its own code sees it; good only inside this call
   * @param state the last state
   * @param why why
   * @return what a successor is handed over, or {@link EventManager#remove} answers
   * @throws Exception to be reported, and hand over nothing
   */
  default Optional<Object> terminate(Self<E> self, S state, Removal why) throws Exception {
    return Optional.empty();
  }

  /**
   * The state as people may see it; see {@link Server#shown}.
   *
   * @param state the state
   * @return anything with a good {@code toString}
   */
  default Object shown(S state) {
    return state;
  }
}
