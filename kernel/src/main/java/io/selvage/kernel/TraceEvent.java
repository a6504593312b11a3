package io.selvage.kernel;

/**
 * One entry of a trace.
 *
 * <p>Entries about one process come in the order in which they happened, unless some of them
 * happened on other threads, as the making of a process's links by others does.
 */
public sealed interface TraceEvent {
  /**
   * A traced process sent a message.
   *
   * @param pid the process
   * @param nanos when, by the node's clock
   * @param to who it was sent to, alive or not
   * @param message the message; somebody else's by now: only look at it
   */
  record Sent(Pid<?> pid, long nanos, Pid<?> to, Object message) implements TraceEvent {}

  /**
   * A traced process took a message from its mailbox.
   *
   * @param pid the process
   * @param nanos when, by the node's clock
   * @param message the message; the process's own: only look at it
   */
  record Received(Pid<?> pid, long nanos, Object message) implements TraceEvent {}

  /**
   * A traced process started another.
   *
   * @param pid the process
   * @param nanos when, by the node's clock
   * @param child the new process
   */
  record Spawned(Pid<?> pid, long nanos, Pid<?> child) implements TraceEvent {}

  /**
   * A traced process ended.
   *
   * @param pid the process
   * @param nanos when, by the node's clock
   * @param reason why
   */
  record Ended(Pid<?> pid, long nanos, ExitReason reason) implements TraceEvent {}

  /**
   * A traced process was linked, by itself or by the other.
   *
   * @param pid the process
   * @param nanos when, by the node's clock
   * @param other the other process
   */
  record Linked(Pid<?> pid, long nanos, Pid<?> other) implements TraceEvent {}

  /**
   * A link of a traced process was removed, by itself or by the other.
   *
   * @param pid the process
   * @param nanos when, by the node's clock
   * @param other the other process
   */
  record Unlinked(Pid<?> pid, long nanos, Pid<?> other) implements TraceEvent {}

  /**
   * Entries that should be here were lost, since too many waited or came in a second.
   *
   * @param entries how many, since the last entry of this kind
   */
  record Lost(long entries) implements TraceEvent {}
}
