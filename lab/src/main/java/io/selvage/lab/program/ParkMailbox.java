package io.selvage.lab.program;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox of many senders and one receiver, as short as an expert of virtual threads would write
 * it: Vyukov's linked queue (a send is one exchange), and {@link LockSupport} for the wait.
 *
 * <p>The receiver announces that it will park, looks once more, and parks; a sender links its
 * message first and then takes the announcement away. Whichever of the two comes second sees the
 * other, so no wake-up is lost, and only the sender that takes the announcement wakes anybody.
 *
 * @param <M> the messages
 */
final class ParkMailbox<M> implements Mailbox<M> {
  private static final VarHandle TAIL;
  private static final VarHandle NEXT;
  private static final VarHandle WAITER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(ParkMailbox.class, "tail", Link.class);
      WAITER = lookup.findVarHandle(ParkMailbox.class, "waiter", Thread.class);
      NEXT = lookup.findVarHandle(Link.class, "next", Link.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final class Link<M> {
    private @Nullable M message;

    /** Set once by the sender of the message behind this one, after its exchange of the tail. */
    private volatile @Nullable Link<M> next;

    Link(@Nullable M message) {
      this.message = message;
    }
  }

  /** The link whose message was received last; the receiver's own. */
  private Link<M> head = new Link<>(null);

  /** The link sent last; senders exchange it. */
  @SuppressWarnings("unused") // by TAIL
  private volatile Link<M> tail = head;

  /** The receiver while it waits or is about to; set by it, taken away by one sender. */
  @SuppressWarnings("unused") // by WAITER
  private volatile @Nullable Thread waiter;

  @Override
  public void send(M message) {
    Link<M> link = new Link<>(message);
    Link<?> before = (Link<?>) TAIL.getAndSet(this, link);
    NEXT.setVolatile(before, link);
    if (waiter != null) {
      Thread thread = (Thread) WAITER.getAndSet(this, (Thread) null);
      if (thread != null) {
        LockSupport.unpark(thread);
      }
    }
  }

  /** Takes the next message; called by one thread only. */
  @Override
  public M receive() {
    Link<M> next = head.next;
    if (next == null) {
      waiter = Thread.currentThread();
      next = head.next;
      while (next == null) {
        LockSupport.park(this);
        waiter = Thread.currentThread(); // whoever woke us took it away
        next = head.next;
      }
      waiter = null;
    }
    head = next;
    M message = next.message;
    next.message = null;
    if (message == null) {
      throw new IllegalStateException("a message was received twice");
    }
    return message;
  }
}
