package io.selvage.kernel.internal.process;

import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.spi.SystemMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An exit signal, sent by {@code exit} or by the end of a linked process.
 *
 * <p><b>Interrupting the receiver.</b> A direct process that blocks in foreign code must be
 * interrupted to learn of its end. Only the receiver knows for certain whether the signal ends it
 * (it may trap exits, or have removed the link), but the receiver does not run. So the sender
 * judges by what it can read, and interrupts; and a receiver for whom the judgement was wrong takes
 * the interrupt back, so that it cannot be seen by foreign code later. The claim decides between
 * the two:
 *
 * <pre>
 *   OPEN ── sender: about to interrupt ──► INTERRUPTING ── sender: did ──► INTERRUPTED
 *   OPEN ── receiver: does not end me ───► DISARMED          (the sender then leaves the thread alone)
 * </pre>
 *
 * A receiver that finds INTERRUPTING waits the few instructions until INTERRUPTED and clears its
 * interrupt status.
 */
final class ExitSignal extends Signal {
  private static final int OPEN = 0;
  private static final int INTERRUPTING = 1;
  private static final int INTERRUPTED = 2;
  private static final int DISARMED = 3;
  private static final VarHandle CLAIM;

  static {
    try {
      CLAIM = MethodHandles.lookup().findVarHandle(ExitSignal.class, "claim", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable LocalProcess<?> from;
  private final ExitReason reason;

  /** The link that carried it, or null if it was sent by {@code exit}. */
  private final @Nullable Link link;

  /** Whether it ends a receiver that traps exits, too, with this very reason. */
  private final boolean untrappable;

  /** What the sender's code was handling when it failed, or null; for receivers that want it. */
  private final @Nullable Object lastMessage;

  /**
   * Set when a receiver that traps exits has fetched it: what turns it into a message. Receiver
   * only.
   */
  private @Nullable Function<? super Exit, ?> toMessage;

  /** The message, once a selective receive has looked at it. Receiver only. */
  private @Nullable Object made;

  @SuppressWarnings("unused") // through CLAIM
  private volatile int claim;

  ExitSignal(@Nullable LocalProcess<?> from, ExitReason reason, @Nullable Link link) {
    this(from, reason, link, null, false);
  }

  ExitSignal(
      @Nullable LocalProcess<?> from,
      ExitReason reason,
      @Nullable Link link,
      @Nullable Object lastMessage) {
    this(from, reason, link, lastMessage, false);
  }

  private ExitSignal(
      @Nullable LocalProcess<?> from,
      ExitReason reason,
      @Nullable Link link,
      @Nullable Object lastMessage,
      boolean untrappable) {
    this.from = from;
    this.reason = reason;
    this.link = link;
    this.lastMessage = lastMessage;
    this.untrappable = untrappable;
  }

  /** One by which a limit ends its process; see {@link Limiting}. */
  static ExitSignal byLimit(ExitReason reason) {
    return new ExitSignal(null, reason, null, null, true);
  }

  @Override
  protected void act(LocalProcess<?> self) {
    if (link != null) {
      if (!Links.holds(self, link)) {
        disarm(self);
        return; // the link was removed before this came
      }
      if (self.handshake() != null) {
        self.extras(); // so that the last step needs no memory: what this has done is not done
        // twice
      }
    }
    Extras extras = self.extrasOrNull();
    Function<? super Exit, ?> trap = extras == null ? null : extras.trap;
    if (link == null && reason instanceof ExitReason.Kill) {
      self.doom(ExitReason.killed());
    } else if (untrappable) {
      self.doom(reason);
    } else if (trap != null) {
      disarm(self);
      toMessage = trap;
      self.unread(this);
    } else if (reason instanceof ExitReason.Normal && (link != null || from != self)) {
      disarm(self);
    } else {
      self.doom(reason);
    }
    if (link != null) {
      Links.removeAll(self, link);
    }
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    Object message = payload(self);
    made = message;
    return message;
  }

  @Override
  protected Object shown() {
    return new Exit(from, reason);
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    if (made != null) {
      return made;
    }
    Exit exit = new Exit(from, reason);
    SystemMessage.Receiver receiver = self.receiver();
    if (receiver != null && from != null) {
      SystemMessage own =
          self.isChildOf(from)
              ? receiver.onParentExit(exit)
              : receiver.onOtherExit(exit, lastMessage);
      if (own != null) {
        return own;
      }
    }
    Object message = Objects.requireNonNull(toMessage).apply(exit);
    return Objects.requireNonNull(message, "the function given to trapExits answered null");
  }

  /**
   * Whether this will end the receiver, as far as another thread can tell.
   *
   * @param receiver the receiver
   */
  private boolean looksFatalTo(LocalProcess<?> receiver) {
    if (untrappable || (link == null && reason instanceof ExitReason.Kill)) {
      return true;
    }
    return !receiver.isTrapping() && !(reason instanceof ExitReason.Normal);
  }

  /** Called by the sender after the push: interrupts the receiver if this seems to end it. */
  void arm(LocalProcess<?> receiver) {
    if (looksFatalTo(receiver) && CLAIM.compareAndSet(this, OPEN, INTERRUPTING)) {
      try {
        receiver.interrupt();
      } finally {
        claim = INTERRUPTED;
      }
    }
  }

  private void disarm(LocalProcess<?> self) {
    if (!CLAIM.compareAndSet(this, OPEN, DISARMED)) {
      while (claim != INTERRUPTED) {
        Thread.onSpinWait();
      }
      self.takeInterruptBack();
    }
  }
}
