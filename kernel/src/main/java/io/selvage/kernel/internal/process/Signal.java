package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Anything one process does to another, as a node in the receiver's inbox; see {@link LocalProcess}
 * for the life of one. A signal is pushed once, to one process.
 */
public abstract class Signal {
  /**
   * In an inbox that has nothing new, of a process that waits: whoever pushes onto it wakes the
   * process.
   */
  static final Signal IDLE = new Sentinel();

  /** In an inbox that has nothing new, of a process that runs or will run anyway. */
  static final Signal BUSY = new Sentinel();

  /** In the inbox of a process that has ended: nothing can be pushed. */
  static final Signal DEAD = new Sentinel();

  /**
   * Before the push: the signal that was pushed before this one. Written by the sender, read by the
   * receiver. After the receiver has fetched it: whatever the receiver's lists need. Senders never
   * read it.
   */
  public @Nullable Signal next;

  /**
   * How many signals have been pushed since the inbox was a sentinel, this one included. Written by
   * the sender before the push. It makes the length of a mailbox a subtraction; it may wrap around,
   * and the difference is still right. Before the push of a timer: how many timers its owner has,
   * if it is the first of them; see {@link io.selvage.kernel.internal.time.TimerWheel}.
   */
  int count;

  /** A signal that has not been pushed. */
  protected Signal() {}

  /** Says what the count means before the push. For the timer wheel. */
  protected final void countBeforePush(int newCount) {
    count = newCount;
  }

  /** What {@link #countBeforePush} has set. */
  protected final int countBeforePush() {
    return count;
  }

  /**
   * Does what this signal does, when its receiver fetches it. Messages do nothing here: they wait
   * to be received.
   *
   * @param self the receiver, whose thread runs this
   */
  protected abstract void act(LocalProcess<?> self);

  /**
   * A shorter way for a signal that is all there is to fetch, of a process that has nothing unread
   * and asks for a message: acts, if that makes it a message, and needs neither memory nor code of
   * the user's.
   *
   * @param self the receiver, whose thread runs this
   * @return whether it has acted and is the message to take; if not, nothing has changed, and it is
   *     fetched in the ordinary way
   */
  protected boolean isMessageAtOnce(LocalProcess<?> self) {
    return false;
  }

  /**
   * What the receiver's code sees of this signal. Only for those that wait in a mailbox.
   *
   * @param self the receiver, whose thread runs this
   * @return the message; null if it is not to be handled any more, and has been counted
   */
  protected @Nullable Object payload(LocalProcess<?> self) {
    throw new IllegalStateException(this + " is not a message");
  }

  /**
   * What a selective receive sees of this signal, which stays where it is: the same as {@link
   * #payload} will answer. May be asked any number of times.
   *
   * @param self the receiver, whose thread runs this
   */
  protected Object look(LocalProcess<?> self) {
    return Objects.requireNonNull(payload(self));
  }

  /**
   * What a report shows of this while it waits in a mailbox. Runs no code of the user's.
   *
   * @return the message, or words for it
   */
  protected Object shown() {
    return getClass().getSimpleName();
  }

  /**
   * Of a message: what its receiver was sent, for the one who is told that it was not delivered.
   * Runs no code of the user's.
   */
  protected Object letter() {
    return shown();
  }

  /** Of a message: the process that has sent it, if one has and it is known. */
  protected @Nullable LocalProcess<?> sender() {
    return null;
  }

  /** Of a message: how it was sent. */
  protected Way way() {
    return Way.SEND;
  }

  /** Whether somebody meant this to be received; if it is not, it is counted. */
  protected boolean isMessage() {
    return false;
  }

  /**
   * The receiver takes this out of its mailbox: leaves the place that it has under a limit.
   *
   * @return false if a limit has dropped it, so that it must not be taken
   */
  protected boolean claim() {
    return true;
  }

  /** Whether a limit has dropped this; it may be just now. */
  protected boolean isDropped() {
    return false;
  }

  /**
   * Tells the sender, if it must know, that the receiver had ended when this was pushed, or ended
   * before it acted.
   *
   * @param self the receiver
   * @return whether this was a message, which must be counted as undelivered
   */
  protected boolean undeliverable(LocalProcess<?> self) {
    return false;
  }

  /** Whether this only stands for an inbox that has nothing new. */
  final boolean isSentinel() {
    return this instanceof Sentinel;
  }

  private static final class Sentinel extends Signal {
    @Override
    protected void act(LocalProcess<?> self) {
      throw new IllegalStateException("a sentinel is never fetched");
    }
  }
}
