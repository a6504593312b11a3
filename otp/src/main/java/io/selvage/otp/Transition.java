package io.selvage.otp;

import io.selvage.kernel.ReplyTo;
import java.time.Duration;

/**
 * What a {@link StateMachine} does after an event, beside its decision: replies, timeouts, events
 * to handle next. Got from a {@link Moment}, and answered from the callback.
 *
 * <p>What happens, in this order:
 *
 * <ol>
 *   <li>Replies are sent at once, when they are given.
 *   <li>If the state changes or is repeated, its entry is called.
 *   <li>The present event is postponed, if it is to be.
 *   <li>If the state changed, the postponed events are to be handled next, the oldest first.
 *   <li>Inserted events come before those, the first inserted first.
 *   <li>If the state changed, its timeout ends. Timeouts are set, cancelled and updated in the
 *       order in which they are given, those of the entry last.
 *   <li>The next event is handled: of these, else a timeout of zero, else a message.
 * </ol>
 *
 * <p>An entry can neither postpone nor insert; {@code init} cannot postpone. Setting a timeout that
 * runs already replaces it. A timeout is no longer than 292 years; a longer one never ends.
 *
 * <p>Cost: an object of about 24 bytes for each postponed or inserted event, and one of about 40
 * and a kernel timer for each timeout. Source: {@code action()} of {@code gen_statem}.
 *
 * @param <S> the states
 * @param <D> the data
 * @param <M> the messages
 */
public sealed interface Transition<S, D, M> permits StateMachineLoop {
  /**
   * Replies to a call, of this event or one before.
   *
   * @param replyTo where to
   * @param reply the reply
   * @param <R> the reply
   * @return this
   */
  <R> Transition<S, D, M> reply(ReplyTo<? super R> replyTo, R reply);

  /**
   * Puts the present event aside until the state changes.
   *
   * @return this
   * @throws IllegalStateException in {@code init} and {@code onEntry}
   */
  Transition<S, D, M> postpone();

  /**
   * Handles a message next, before all that waits, as {@link EventKind#INSERTED}.
   *
   * @param message the message
   * @return this
   * @throws IllegalStateException in {@code onEntry}
   */
  Transition<S, D, M> insert(M message);

  /**
   * Handles a message next, as if it were an event of any kind.
   *
   * @param kind the kind; neither {@link EventKind#ENTRY} nor {@link EventKind#INIT}; for a named
   *     timeout see {@link #insertTimeout}
   * @param message the message
   * @return this
   * @throws IllegalArgumentException if the kind is none that a message can have
   * @throws IllegalStateException in {@code onEntry}
   */
  Transition<S, D, M> insert(EventKind kind, M message);

  /**
   * Handles a message next, as if a named timeout were over.
   *
   * @param name its name
   * @param message the message
   * @return this
   * @throws IllegalStateException in {@code onEntry}
   */
  Transition<S, D, M> insertTimeout(Object name, M message);

  /**
   * Handles a message if no event comes within a time. Any event ends the wait, be it postponed,
   * inserted or a timeout.
   *
   * @param time how long; zero or more, of any length. Zero handles it as soon as no event is
   *     postponed or inserted to be handled, before the next message is looked at
   * @param message the message
   * @return this
   * @throws IllegalArgumentException if {@code time} is negative
   */
  Transition<S, D, M> eventTimeout(Duration time, M message);

  /**
   * Handles a message after a time, unless the state changes before.
   *
   * @param time how long; zero or more, of any length; for zero see {@link #eventTimeout}
   * @param message the message
   * @return this
   * @throws IllegalArgumentException if {@code time} is negative
   */
  Transition<S, D, M> stateTimeout(Duration time, M message);

  /**
   * Handles a message after a time, whatever comes before.
   *
   * @param name which of the machine's timeouts this is: any value with {@code equals}
   * @param time how long; zero or more, of any length; for zero see {@link #eventTimeout}
   * @param message the message
   * @return this
   * @throws IllegalArgumentException if {@code time} is negative
   */
  Transition<S, D, M> timeout(Object name, Duration time, M message);

  /**
   * Cancels the event timeout, such as one that is part of the same answer.
   *
   * @return this
   */
  Transition<S, D, M> cancelEventTimeout();

  /**
   * Cancels the state timeout. Nothing happens if there is none.
   *
   * @return this
   */
  Transition<S, D, M> cancelStateTimeout();

  /**
   * Cancels a named timeout. Its message does not come any more, even if its time is over. Nothing
   * happens if there is none.
   *
   * @param name its name
   * @return this
   */
  Transition<S, D, M> cancelTimeout(Object name);

  /**
   * Changes the message of the event timeout and leaves its time. If there is none, sets one of
   * zero.
   *
   * @param message the message
   * @return this
   */
  Transition<S, D, M> updateEventTimeout(M message);

  /**
   * Changes the message of the state timeout and leaves its time. If there is none, sets one of
   * zero.
   *
   * @param message the message
   * @return this
   */
  Transition<S, D, M> updateStateTimeout(M message);

  /**
   * Changes the message of a named timeout and leaves its time. If there is none, sets one of zero.
   *
   * @param name its name
   * @param message the message
   * @return this
   */
  Transition<S, D, M> updateTimeout(Object name, M message);

  /**
   * Gives back the memory that is not needed while nothing comes; see {@link
   * io.selvage.kernel.Self#hibernate}. Without effect if there are events to handle.
   *
   * @return this
   */
  Transition<S, D, M> hibernate();

  /**
   * From now on other code handles the events, beginning with the entry that this answer causes.
   * The state, the data and all that waits stay.
   *
   * @param machine its callbacks, of which {@code init} is not called
   * @return this
   * @throws IllegalStateException in {@code onEntry}
   */
  Transition<S, D, M> change(StateMachine<S, D, M> machine);

  /**
   * Like {@link #change}, and keeps the present code for a {@link #pop}.
   *
   * @param machine its callbacks
   * @return this
   * @throws IllegalStateException in {@code onEntry}
   */
  Transition<S, D, M> push(StateMachine<S, D, M> machine);

  /**
   * Goes back to the code that was there before the last {@link #push}.
   *
   * @return this
   * @throws IllegalStateException in {@code onEntry}; and if there was no push
   */
  Transition<S, D, M> pop();
}
