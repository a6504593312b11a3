package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;

/**
 * What a traced behaviour does, as its sink is told by {@link Sys#trace}. Source: the events of
 * {@code sys:trace}.
 */
public sealed interface SystemEvent {
  /**
   * Who is traced.
   *
   * @return the process
   */
  Pid<?> pid();

  /**
   * It is about to handle something.
   *
   * @param pid who
   * @param message what, as it came
   */
  record Received(Pid<?> pid, Object message) implements SystemEvent {}

  /**
   * It has handled something and goes on.
   *
   * @param pid who
   * @param state its state now
   */
  record Continued(Pid<?> pid, Object state) implements SystemEvent {}

  /**
   * It is about to end, and {@code terminate} has run.
   *
   * @param pid who
   * @param reason why
   */
  record Stopped(Pid<?> pid, ExitReason reason) implements SystemEvent {}
}
