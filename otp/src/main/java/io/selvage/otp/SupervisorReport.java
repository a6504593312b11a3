package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import java.util.Optional;

/**
 * What a supervisor tells the log {@code io.selvage.otp}, and its listener if it has one. Source:
 * the supervisor reports of {@code supervisor}.
 */
public sealed interface SupervisorReport {
  /**
   * Who tells it.
   *
   * @return the supervisor
   */
  Pid<?> supervisor();

  /**
   * A child has ended otherwise than orderly, or has ended although it is permanent.
   *
   * @param supervisor who tells it
   * @param id the child
   * @param pid its process
   * @param reason why
   * @param lastMessage what it was handling, if it is a behavior that failed
   */
  record ChildEnded(
      Pid<?> supervisor, String id, Pid<?> pid, ExitReason reason, Optional<Object> lastMessage)
      implements SupervisorReport {
    /** The last message may be long or secret: its class is shown. */
    @Override
    public String toString() {
      return "ChildEnded[supervisor="
          + supervisor
          + ", id="
          + id
          + ", pid="
          + pid
          + ", reason="
          + reason
          + lastMessage.map(m -> ", handling a " + m.getClass().getName()).orElse("")
          + "]";
    }
  }

  /**
   * A child was not started.
   *
   * @param supervisor who tells it
   * @param id the child
   * @param reason why
   */
  record StartFailed(Pid<?> supervisor, String id, ExitReason reason) implements SupervisorReport {}

  /**
   * A child was started again.
   *
   * @param supervisor who tells it
   * @param id the child
   * @param pid the new process
   * @param past what came before
   */
  record Restarted(Pid<?> supervisor, String id, Pid<?> pid, Past past)
      implements SupervisorReport {
    /** What came before was told when it came. */
    @Override
    public String toString() {
      return "Restarted[supervisor="
          + supervisor
          + ", id="
          + id
          + ", pid="
          + pid
          + ", restarts="
          + past.restarts()
          + "]";
    }
  }

  /**
   * The supervisor gives up, or ends because of a significant child.
   *
   * @param supervisor who tells it
   * @param cause why
   */
  record GaveUp(Pid<?> supervisor, SupervisorEnd cause) implements SupervisorReport {}

  /**
   * A child did not stop in its time and was killed.
   *
   * @param supervisor who tells it
   * @param id the child
   * @param pid its process
   */
  record Killed(Pid<?> supervisor, String id, Pid<?> pid) implements SupervisorReport {}

  /**
   * The deadline of the whole tree was over before all had ended.
   *
   * @param supervisor who tells it
   * @param shutdown who used the time up
   */
  record DeadlineOver(Pid<?> supervisor, ShutdownReport shutdown) implements SupervisorReport {}

  /**
   * An exit signal of a process that is no child was ignored.
   *
   * @param supervisor who tells it
   * @param from the process
   * @param reason what the signal carried
   */
  record ExitIgnored(Pid<?> supervisor, Pid<?> from, ExitReason reason)
      implements SupervisorReport {}
}
