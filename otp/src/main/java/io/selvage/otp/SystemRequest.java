package io.selvage.otp;

import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What every behaviour is asked by {@link Sys}, and what its parent's end tells it. */
sealed interface SystemRequest extends SystemMessage {
  record State(ReplyTo<Object> replyTo) implements SystemRequest {}

  /** The reply holds the new state, or what the change threw. */
  record ReplaceState(UnaryOperator<Object> change, ReplyTo<Replaced> replyTo)
      implements SystemRequest {}

  /** How a replacement went: one of both is there. */
  record Replaced(Optional<Object> state, Optional<Throwable> failure) {}

  record Suspend(ReplyTo<Boolean> replyTo) implements SystemRequest {}

  record Resume(ReplyTo<Boolean> replyTo) implements SystemRequest {}

  record StatusOf(ReplyTo<SystemStatus> replyTo) implements SystemRequest {}

  /** Begins, ends or asks for the statistics. */
  record Count(Counting what, ReplyTo<Optional<Statistics>> replyTo) implements SystemRequest {}

  enum Counting {
    BEGIN,
    END,
    ASK
  }

  /** Sets the sink of the trace, or takes it away. */
  record Trace(Optional<Consumer<? super SystemEvent>> sink, ReplyTo<Boolean> replyTo)
      implements SystemRequest {}

  /** Stop in order; whoever asks sees the end. */
  record Stop(ExitReason reason, ReplyTo<Boolean> replyTo) implements SystemRequest {}

  record ParentExited(Exit exit) implements SystemRequest {}

  /** The supervisor above has so much time left to stop its tree; whoever has children heeds it. */
  record TreeDeadline(Duration left) implements SystemRequest {}
}
