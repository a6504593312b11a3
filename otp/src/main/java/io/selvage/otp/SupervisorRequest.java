package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** What a supervisor is asked by its handles, and what it tells itself. */
sealed interface SupervisorRequest extends SupervisorMessage {
  /** A request; its reply is of the type its handle promises, or {@link Refused}. */
  sealed interface Asked extends SupervisorRequest {
    ReplyTo<Object> replyTo();
  }

  record StartChild<M, A>(ChildSpec<M, A> spec, ReplyTo<Object> replyTo) implements Asked {
    public StartChild {
      Objects.requireNonNull(spec, "spec"); // in the caller, not in the supervisor
    }
  }

  record StopById(String id, ReplyTo<Object> replyTo) implements Asked {
    public StopById {
      Objects.requireNonNull(id, "id"); // in the caller, not in the supervisor
    }
  }

  record StopByPid(Pid<?> pid, ReplyTo<Object> replyTo) implements Asked {
    public StopByPid {
      Objects.requireNonNull(pid, "pid"); // in the caller, not in the supervisor
    }
  }

  record RestartChild(String id, ReplyTo<Object> replyTo) implements Asked {
    public RestartChild {
      Objects.requireNonNull(id, "id"); // in the caller, not in the supervisor
    }
  }

  record DeleteChild(String id, ReplyTo<Object> replyTo) implements Asked {
    public DeleteChild {
      Objects.requireNonNull(id, "id"); // in the caller, not in the supervisor
    }
  }

  record WhichChildren(ReplyTo<Object> replyTo) implements Asked {}

  record CountChildren(ReplyTo<Object> replyTo) implements Asked {}

  record SpecOf(String id, ReplyTo<Object> replyTo) implements Asked {
    public SpecOf {
      Objects.requireNonNull(id, "id"); // in the caller, not in the supervisor
    }
  }

  record StopWithin(Duration deadline, ReplyTo<Object> replyTo) implements Asked {}

  /** An exit signal came. */
  record ExitCame(Exit exit, Optional<Object> lastMessage) implements SupervisorRequest {}

  /** A child that is being stopped is down, perhaps after it had removed its link. */
  record ChildDown(Down down) implements SupervisorRequest {}

  /** Restart a child, if it still waits for this very attempt. */
  record Retry(Object child, Object attempt, boolean counts) implements SupervisorRequest {}

  /** A child, or all with the same limit, has had its time to stop. */
  record LimitOver(Object whose) implements SupervisorRequest {}

  /** The whole tree has had its time to stop. */
  record DeadlineOver(boolean grace) implements SupervisorRequest {}

  /** What a request is answered that this supervisor cannot serve. */
  record Refused(String why) {}

  /**
   * Asks a supervisor.
   *
   * @throws IllegalArgumentException if it refuses
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as its handle promises
  static <R> R ask(
      Pid<SupervisorMessage> pid, Function<ReplyTo<Object>, SupervisorMessage> request) {
    Object answer = pid.<Object>call(request, Sys.FOREVER);
    if (answer instanceof Refused(var why)) {
      throw new IllegalArgumentException(why);
    }
    return (R) answer;
  }

  /** Stops a supervisor within a time and waits for its end. */
  static ShutdownReport stop(Pid<SupervisorMessage> pid, Duration deadline) {
    if (deadline.isNegative()) {
      throw new IllegalArgumentException(
          "the deadline is " + deadline + ", but it is a time to stop within: give zero or more");
    }
    ShutdownReport report = ask(pid, replyTo -> new StopWithin(deadline, replyTo));
    try {
      Sys.stop(pid, ExitReason.shutdown(), Sys.FOREVER); // its end is near, if not there
    } catch (CallException ended) {
      return report;
    }
    return report;
  }
}
