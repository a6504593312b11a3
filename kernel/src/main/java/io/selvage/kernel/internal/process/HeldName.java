package io.selvage.kernel.internal.process;

import io.selvage.kernel.Name;
import io.selvage.kernel.Self;
import io.selvage.kernel.SendResult;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.process.Limiting.Manner;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.NameHold;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link NameHold}. A send to the name and a registration under it exclude each other by its
 * lock: so what was kept is in the mailbox of the new process before anybody can find that process
 * by the name, and a message sent later cannot overtake one sent earlier.
 *
 * <p>Lock order: this lock, then those of the table of names and of possessions.
 */
public final class HeldName extends Possession implements NameHold {
  private final LocalNode node;
  private final LocalProcess<?> owner;
  private final Name<?> name;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();

  /** What waits, oldest first. Under the lock. */
  private final Deque<Signal> kept = new ArrayDeque<>();

  /** Under the lock. */
  private boolean closed;

  private HeldName(LocalProcess<?> owner, Name<?> name, int most) {
    this.node = owner.node;
    this.owner = owner;
    this.name = name;
    this.most = most;
  }

  /** See {@link NameHold#open}. */
  public static NameHold open(Self<?> owner, Name<?> name, int most) {
    LocalProcess<?> process = (LocalProcess<?>) owner;
    process.ensureRunning();
    HeldName hold = new HeldName(process, name, most);
    if (!node(process).names().hold(name, hold)) {
      throw new IllegalStateException(
          "what is sent to the name \""
              + name
              + "\" is kept already: let only one supervisor hold messages for it");
    }
    if (!process.own(hold)) {
      hold.end();
    }
    return hold;
  }

  private static LocalNode node(LocalProcess<?> process) {
    return process.node;
  }

  /**
   * Takes a message sent to the name, in any case. Any thread.
   *
   * @param message the message
   * @param sender who sent it, or null
   * @return false if this has been closed, so that the message has gone nowhere
   */
  public boolean offer(Object message, @Nullable LocalProcess<?> sender) {
    Message plain = new Message(message, sender);
    return offer(holder -> holder.messageOf(message, sender), plain, Manner.SEND, 0) != null;
  }

  /**
   * Takes a message that a limit has redirected to the name. Any thread.
   *
   * @param message the message, which nobody else knows
   * @param manner how it was sent
   * @param depth how often it has been redirected
   * @return what became of it; null if this has been closed, so that the message has gone nowhere
   */
  @Nullable SendResult offer(Message message, Manner manner, int depth) {
    return offer(_ -> message, message, manner, depth);
  }

  /**
   * Takes a timer that is due. The timer's thread, which must not wait.
   *
   * @param timer the timer, which is its own message
   * @return false if this has been closed, so that the message has gone nowhere
   */
  boolean offer(Delivery timer) {
    return offer(_ -> timer, timer, null, 0) != null;
  }

  /**
   * Takes a message.
   *
   * @param toHolder makes what is sent to the one who holds the name
   * @param toKeep what is kept, if nobody does
   * @param manner how it is sent; null for a timer, which no limits and marks concern, and whose
   *     thread may not run the node's sink
   * @param depth how often it has been redirected
   */
  private @Nullable SendResult offer(
      Function<LocalProcess<?>, Signal> toHolder,
      Signal toKeep,
      @Nullable Manner manner,
      int depth) {
    Runner runner = Runner.current();
    LocalProcess<?> holder;
    boolean limited;
    lock.lock();
    try {
      if (closed) {
        return null;
      }
      holder = node.names().find(name);
      limited = manner != null && holder != null && holder.isLimited() && holder.isAlive();
      if (holder == null || !(limited || holder.push(toHolder.apply(holder), runner))) {
        holder = null;
        if (kept.size() < most) {
          kept.add(toKeep);
          return SendResult.SENT;
        }
      }
    } finally {
      lock.unlock();
    }
    // Not under the lock: it may wait, and run code of the user's.
    if (holder == null) {
      deadLetter(toKeep, manner != null);
      return SendResult.ENDED;
    }
    if (manner != null && limited) {
      return Limiting.send(holder, (Message) toHolder.apply(holder), runner, manner, depth);
    }
    if (manner == Manner.SEND) {
      Backpressure.press(holder, toKeep.sender(), runner);
    }
    return SendResult.SENT;
  }

  private void deadLetter(Signal message, boolean mayReport) {
    node.deadLetter(
        message.sender(), message.way(), name, message.letter(), Cause.ENDED, mayReport);
  }

  /**
   * Registers a process, which gets what waits before that.
   *
   * @param process the process
   * @param register registers it
   * @param <T> what comes of that
   */
  public <T> T handOver(LocalProcess<?> process, Supplier<T> register) {
    lock.lock();
    try {
      Runner runner = Runner.current();
      for (Signal message = kept.peek(); message != null; message = kept.peek()) {
        if (!process.push(message, runner)) {
          break; // it has ended: they wait for the next
        }
        kept.remove();
      }
      return register.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    owner.disown(this);
    end();
  }

  @Override
  protected void release() {
    end();
  }

  private void end() {
    lock.lock();
    try {
      closed = true;
      node.names().unhold(name, this);
    } finally {
      lock.unlock();
    }
    // Nobody adds any more.
    for (Signal message = kept.poll(); message != null; message = kept.poll()) {
      deadLetter(message, true);
    }
  }
}
