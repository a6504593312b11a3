package io.selvage.kernel.internal.process;

import io.selvage.kernel.Outcome;
import io.selvage.kernel.RequestRef;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
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

  /**
   * The request for which it was made, which goes on when the outcome is handled; or null, as once
   * it was taken. Caller's thread only.
   */
  private @Nullable Request purpose;

  /** The message, once a selective receive has looked at it. Caller's thread only. */
  private @Nullable Object made;

  MessageCall(
      LocalProcess<?> caller,
      LocalProcess<?> target,
      Duration timeout,
      Function<? super Outcome<R>, ?> toMessage,
      @Nullable Request purpose) {
    super(caller, target, timeout);
    this.toMessage = toMessage;
    this.purpose = purpose;
  }

  @Override
  void fetched() {
    leave();
    if (toMessage != null) { // else it was dropped on its way
      caller.unread(this);
    }
  }

  @Override
  protected boolean isMessageAtOnce(LocalProcess<?> self) {
    if (toMessage == null) {
      return false;
    }
    leave();
    return true;
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    Object message = message(raw());
    made = message;
    return message;
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    if (purpose != null) {
      self.serves(purpose);
      purpose = null;
    }
    Object message = message(takeRaw());
    toMessage = null;
    return message;
  }

  @Override
  protected Object shown() {
    return outcome(raw());
  }

  @Override
  protected Object letter() {
    return raw();
  }

  @Override
  protected LocalProcess<?> sender() {
    return target;
  }

  @Override
  protected Way way() {
    return Way.REPLY;
  }

  private Object message(Object decided) {
    return made != null
        ? made
        : Objects.requireNonNull(
            Objects.requireNonNull(toMessage).apply(outcome(decided)),
            "the function given to request for the outcome answered null");
  }

  @Override
  public boolean abandon() {
    caller.ensureRunning();
    return drop();
  }

  @Override
  void letGo() {
    toMessage = null;
    if (!listed) {
      caller.removeUnread(this);
    }
  }

  @Override
  void callerEnded() {} // its message finds a process that has ended, and is counted there
}
