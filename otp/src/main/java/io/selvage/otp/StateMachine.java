package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;

/**
 * A process whose answer to an event depends on the state it is in: like a {@link Server}, and with
 * entry calls, postponed and inserted events, and timeouts that belong to a state.
 *
 * <p>A state is a value, most often an enum constant, and this object handles the events of all of
 * them; or a state is a {@link StateHandler}, and this is a {@link OfHandlers}. What does not
 * decide how events are answered belongs into the data.
 *
 * <pre>{@code
 * final class Door implements StateMachine<Door.State, Integer, Door.Msg> {
 *   enum State { OPEN, CLOSED }
 *   sealed interface Msg {
 *     record Push() implements Msg {}
 *     record Close() implements Msg {}
 *     record Uses(ReplyTo<Integer> replyTo) implements Msg {}
 *   }
 *
 *   public Transition<State, Integer, Msg> init(Moment<State, Integer, Msg> now) {
 *     return now.to(State.CLOSED, 0);
 *   }
 *
 *   public Transition<State, Integer, Msg> onEvent(
 *       Moment<State, Integer, Msg> now, State state, Integer uses, Msg message) {
 *     return switch (message) {
 *       case Msg.Push _ -> now.to(State.OPEN, uses + 1).stateTimeout(ofSeconds(10), new Msg.Close());
 *       case Msg.Close _ -> now.to(State.CLOSED);
 *       case Msg.Uses(var replyTo) -> now.stay().reply(replyTo, uses);
 *     };
 *   }
 * }
 * }</pre>
 *
 * <p>{@link Transition} tells the exact order of what a transition does. One machine object may be
 * the code of many processes, so what changes belongs into the state and the data. The callbacks
 * run in the process, one at a time.
 *
 * <p>Events that are postponed when the process ends count as unread, as those in its mailbox do;
 * not, if an exit signal ends it that it does not trap.
 *
 * <p>Cost: at rest one object of about 100 bytes beside the state and the data. Source: {@code
 * gen_statem}.
 *
 * @param <S> the states; two are the same if they are equal
 * @param <D> the data
 * @param <M> the messages
 */
public interface StateMachine<S, D, M> {
  /**
   * A machine whose states handle their events themselves.
   *
   * @param <S> the states
   * @param <D> the data
   * @param <M> the messages
   */
  @FunctionalInterface
  interface OfHandlers<S extends StateHandler<S, D, M>, D, M> extends StateMachine<S, D, M> {
    @Override
    default Transition<S, D, M> onEvent(Moment<S, D, M> now, S state, D data, M message)
        throws Exception {
      return state.onEvent(now, data, message);
    }

    @Override
    default Transition<S, D, M> onEntry(Moment<S, D, M> now, S before, S state, D data)
        throws Exception {
      return state.onEntry(now, before, data);
    }
  }

  /**
   * Begins. The start waits for it.
   *
   * @param now this call, and what to answer
   * @return {@link Moment#to(Object, Object)} with the first state and data, or {@link
   *     Moment#ignore}, {@link Moment#stop(ExitReason)} or {@link Moment#fail}
   * @throws Exception to fail the start and end the process with {@link ExitReason.Crash}, or with
   *     the reason of an {@link io.selvage.kernel.ExitException}
   */
  Transition<S, D, M> init(Moment<S, D, M> now) throws Exception;

  /**
   * Handles an event.
   *
   * @param now this call: which kind of event it is, and what to answer
   * @param state the present state
   * @param data the present data
   * @param message what came
   * @return the decision, from {@code now}
   * @throws Exception to end the process with {@link ExitReason.Crash}, or with the reason of an
   *     {@link io.selvage.kernel.ExitException}; {@link #terminate} runs before
   */
  Transition<S, D, M> onEvent(Moment<S, D, M> now, S state, D data, M message) throws Exception;

  /**
   * Runs when a state was entered: the first one, one that differs from the state before, and again
   * after {@link Moment#repeat}. It cannot change the state, postpone, or insert.
   *
   * @param now this call, and what to answer
   * @param before the state before; the same as {@code state} for the first one and a repeated one
   * @param state the state that was entered
   * @param data the data
   * @return {@code now.stay(…)}, {@code now.repeat(…)}, to be called once more, or {@code
   *     now.stop(…)}
   * @throws Exception to end the process, as in {@link #onEvent}
   */
  default Transition<S, D, M> onEntry(Moment<S, D, M> now, S before, S state, D data)
      throws Exception {
    return now.stay();
  }

  /**
   * Runs before the process ends, in the cases of {@link Server#terminate}.
   *
   * @param self the process, as its own code sees it; good only inside this call
   * @param state the last state
   * @param data the last data
   * @param reason why it ends
   * @throws Exception to end the process with {@link ExitReason.Crash} instead
   */
  default void terminate(Self<M> self, S state, D data, ExitReason reason) throws Exception {}

  /**
   * The state and the data as people may see them, in crash reports and {@link Sys#status}: the
   * place to leave out what is secret or long.
   *
   * @param state the state
   * @param data the data
   * @return anything with a good {@code toString}
   */
  default Object shown(S state, D data) {
    return new StateAndData<>(state, data);
  }

  /**
   * The code of a state machine, to be given to any {@code start} of the kernel.
   *
   * @param machine the callbacks
   * @param <S> the states
   * @param <D> the data
   * @param <M> the messages
   * @return what to start; any number of times
   */
  static <S, D, M> Init<M, Pid<M>> of(StateMachine<S, D, M> machine) {
    return StateMachineLoop.program(machine);
  }

  /**
   * Starts a state machine and waits until its {@link #init} has answered.
   *
   * @param spawner the node, or the process that starts it
   * @param machine the callbacks
   * @param options the options of its process: its name, whether it is linked, or runs {@linkplain
   *     SpawnOptions#onVirtualThread on a virtual thread} because it blocks for long
   * @param <S> the states
   * @param <D> the data
   * @param <M> the messages
   * @return its pid, or why it was not started
   */
  static <S, D, M> StartResult<M, Pid<M>> start(
      Spawner spawner, StateMachine<S, D, M> machine, SpawnOptions<M> options) {
    return spawner.start(of(machine), Sys.FOREVER, options);
  }

  /**
   * Starts a state machine with default options and waits until its {@link #init} has answered.
   *
   * @param spawner the node, or the process that starts it
   * @param machine the callbacks
   * @param <S> the states
   * @param <D> the data
   * @param <M> the messages
   * @return its pid, or why it was not started
   */
  static <S, D, M> StartResult<M, Pid<M>> start(Spawner spawner, StateMachine<S, D, M> machine) {
    return start(spawner, machine, SpawnOptions.defaults());
  }
}
