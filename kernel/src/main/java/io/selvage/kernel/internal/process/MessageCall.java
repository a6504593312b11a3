package io.selvage.kernel.internal.process;

import io.selvage.kernel.Outcome;
import io.selvage.kernel.RequestRef;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call whose outcome becomes a message of the caller; see {@link io.selvage.kernel.Self#request}.
 *
 * @param <R> the reply
 */
public final class MessageCall<R> extends OwnedCall<R> implements RequestRef {
  /** Null once the outcome was taken or dropped. Caller's thread only. */
  private @Nullable Function<? super Outcome<R>, ?> toMessage;

  MessageCall(
      LocalProcess<?> caller,
      LocalProcess<?> target,
      Duration timeout,
      Function<? super Outcome<R>, ?> toMessage) {
    super(caller, target, timeout);
    this.toMessage = toMessage;
  }

  @Override
  void fetched() {
    leave();
    if (toMessage != null) { // else it was dropped on its way
      caller.unread(this);
    }
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    Outcome<R> outcome = outcome(takeRaw());
    Function<? super Outcome<R>, ?> function = Objects.requireNonNull(toMessage);
    toMessage = null;
    return Objects.requireNonNull(
        function.apply(outcome), "the function given to request for the outcome answered null");
  }

  @Override
  public boolean abandon() {
    caller.ensureRunning();
    return drop();
  }

  @Override
  void dropped() {
    toMessage = null;
    if (!listed) {
      caller.removeUnread(this);
    }
  }

  @Override
  void callerEnded() {} // its message finds a process that has ended, and is counted there
}
