package io.selvage.otp;

/**
 * What a {@link StateMachine} is being called for; all of it comes as a message of its protocol.
 * Source: {@code event_type()} of {@code gen_statem}.
 */
public enum EventKind {
  /** A message that was sent to the process. */
  MESSAGE,
  /** A message that the machine inserted itself, by {@link Transition#insert}. */
  INSERTED,
  /** Nothing had come for the time of {@link Transition#eventTimeout}. */
  EVENT_TIMEOUT,
  /** The state had not changed for the time of {@link Transition#stateTimeout}. */
  STATE_TIMEOUT,
  /** The time of a {@link Transition#timeout} is over; see {@link Moment#timeoutName}. */
  NAMED_TIMEOUT,
  /** The state was entered: a call of {@code onEntry}. */
  ENTRY,
  /** The machine begins: a call of {@code init}. */
  INIT
}
