package io.selvage.lab.program;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Supplier;

/**
 * What a plain Java thread has for its messages. A program has mailboxes of one class only, so that
 * the compiler calls it directly.
 *
 * @param <M> the messages
 */
public interface Mailbox<M> {
  /**
   * Called by any thread; waits only if the mailbox is a bounded one that is full.
   *
   * @param message the message
   */
  void send(M message);

  /**
   * Waits for the next message; called by one thread only.
   *
   * @return the message
   */
  M receive();

  /**
   * Makes mailboxes of the kind that {@code mailbox=queue}, {@code mailbox=park} or {@code
   * mailbox=bounded} asks for.
   *
   * @param arguments the arguments
   * @param <M> the messages
   * @return what makes one
   */
  static <M> Supplier<Mailbox<M>> kind(Arguments arguments) {
    String kind = arguments.text("mailbox");
    return switch (kind) {
      case "queue" -> QueueMailbox::new;
      case "park" -> ParkMailbox::new;
      case "bounded" -> BoundedMailbox::new;
      default ->
          throw new IllegalArgumentException(
              "mailbox=" + kind + " is none of mailbox=queue, mailbox=park and mailbox=bounded");
    };
  }

  /**
   * A {@link LinkedTransferQueue}: of the JDK's queues the fastest between threads that wait.
   *
   * @param <M> the messages
   */
  final class QueueMailbox<M> implements Mailbox<M> {
    private final LinkedTransferQueue<M> queue = new LinkedTransferQueue<>();

    @Override
    public void send(M message) {
      queue.add(message);
    }

    @Override
    public M receive() {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts a receiver", e);
      }
    }
  }

  /**
   * An {@link ArrayBlockingQueue}, whose senders wait while it is full.
   *
   * @param <M> the messages
   */
  final class BoundedMailbox<M> implements Mailbox<M> {
    /** As long as a mailbox of Selvage gets before its senders are held back. */
    private static final int ROOM = 1000;

    private final ArrayBlockingQueue<M> queue = new ArrayBlockingQueue<>(ROOM);

    @Override
    public void send(M message) {
      try {
        queue.put(message);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts a sender", e);
      }
    }

    @Override
    public M receive() {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts a receiver", e);
      }
    }
  }
}
