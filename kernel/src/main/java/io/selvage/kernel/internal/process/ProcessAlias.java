package io.selvage.kernel.internal.process;

import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An alias. It is entered nowhere: whoever sends has it, and the process asks it, when a message
 * comes through it, whether it is still good. So it ends with the last reference to it, and a
 * message that is on its way when it is revoked finds it revoked.
 *
 * @param <T> what may be sent to it
 */
public final class ProcessAlias<T> implements Alias<T> {
  /** The process behind it. */
  final LocalProcess<?> owner;

  private final AliasOptions options;

  /** Null if what is sent is what the process accepts, as it is. */
  private final @Nullable Function<? super T, ?> toMessage;

  /** The monitor it was made with, or null. Owner's thread only. */
  private @Nullable Monitor monitor;

  /** Written by the owner's thread. */
  private volatile boolean active = true;

  ProcessAlias(
      LocalProcess<?> owner, AliasOptions options, @Nullable Function<? super T, ?> toMessage) {
    this.owner = owner;
    this.options = options;
    this.toMessage = toMessage;
    owner.extras().aliases++;
  }

  /** One that accepts what its process accepts. */
  static <M> ProcessAlias<M> plain(LocalProcess<M> owner) {
    return new ProcessAlias<>(owner, AliasOptions.defaults(), null);
  }

  /** Ties it to a monitor. */
  void watch(Monitor withIt) {
    monitor = withIt;
    withIt.alias = this;
  }

  @Override
  public void send(T message) {
    push(message, false);
  }

  @Override
  public void sendPriority(T message) {
    push(message, options.priority());
  }

  private void push(T message, boolean priority) {
    Objects.requireNonNull(message, "message");
    StackReserve.ensure();
    Runner runner = Runner.current();
    LocalProcess<?> sender = runner == null ? null : runner.process;
    if (sender != null) {
      sender.checkSignals();
      sender.traceSent(owner, message);
    }
    if (!active) {
      owner.node.deadLetter(sender, Way.SEND, owner, message, Cause.REVOKED, true);
      return;
    }
    AliasMessage<T> signal = new AliasMessage<>(message, sender, this, priority);
    if (owner.isLimited() && !priority && !takesReplies()) {
      Limiting.send(owner, signal, runner, Limiting.Manner.SEND, 0);
      return;
    }
    boolean sent =
        takesReplies() ? owner.push(signal, runner) : owner.pushMessage(signal, sender, runner);
    if (!sent) {
      owner.node.deadLetter(sender, Way.SEND, owner, message, Cause.ENDED, true);
    }
  }

  /** Whether what comes through it is a reply: that holds nobody back. */
  private boolean takesReplies() {
    return options.mode() == AliasOptions.Mode.REPLY
        || options.mode() == AliasOptions.Mode.REPLY_DEMONITOR;
  }

  /** A message has come: whether it is let in. Owner's thread only. */
  boolean admits() {
    if (!active) {
      return false;
    }
    // No switch: its table would be a class of its own, first used when memory may be short.
    if (options.mode() == AliasOptions.Mode.REPLY) {
      deactivate();
    } else if (options.mode() == AliasOptions.Mode.REPLY_DEMONITOR) {
      if (monitor != null) {
        owner.drop(monitor); // which ends this, too
      }
      deactivate();
    }
    return true;
  }

  /** Whether what is sent through it is what its process accepts, as it is. */
  boolean isPlain() {
    return toMessage == null;
  }

  /** The message that its user's function makes. Owner's thread only. */
  Object message(T sent) {
    if (toMessage == null) {
      return sent;
    }
    return Objects.requireNonNull(
        toMessage.apply(sent), "the function given to alias answered null");
  }

  /** The monitor does not stand any more. Owner's thread only. */
  void monitorGone() {
    monitor = null;
    if (options.mode() == AliasOptions.Mode.DEMONITOR
        || options.mode() == AliasOptions.Mode.REPLY_DEMONITOR) {
      deactivate();
    }
  }

  /** Revokes it. Owner's thread only. */
  boolean deactivate() {
    if (!active) {
      return false;
    }
    active = false;
    owner.extras().aliases--;
    return true;
  }

  @Override
  public boolean isActive() {
    return active && owner.isAlive();
  }

  @Override
  public String toString() {
    return "alias(" + owner + ")";
  }
}
