package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import java.util.Optional;

/**
 * What came before a child: what a restarted process can learn of its predecessor, and what {@link
 * Supervisor#whichChildren} tells of each child.
 *
 * @param restarts how often it was started again so far
 * @param predecessor the process that ended last
 * @param reason why it ended, or why the last attempt to start it failed
 * @param lastMessage the message that it was handling, if it is a behavior that failed
 */
public record Past(
    int restarts,
    Optional<Pid<?>> predecessor,
    Optional<ExitReason> reason,
    Optional<Object> lastMessage) {
  /** Of a child that was never started before. */
  static final Past NONE = new Past(0, Optional.empty(), Optional.empty(), Optional.empty());

  Past ended(Pid<?> pid, ExitReason why, Optional<Object> message) {
    return new Past(restarts, Optional.of(pid), Optional.of(why), message);
  }

  Past failed(ExitReason why) {
    return new Past(restarts, predecessor, Optional.of(why), lastMessage);
  }

  Past again() {
    return new Past(restarts + 1, predecessor, reason, lastMessage);
  }
}
