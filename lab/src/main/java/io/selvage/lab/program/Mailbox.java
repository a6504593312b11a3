package io.selvage.lab.program;

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
   * Called by any thread; never waits.
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
   * Makes mailboxes of the kind that {@code mailbox=queue} or {@code mailbox=park} asks for.
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
      default ->
          throw new IllegalArgumentException(
              "mailbox=" + kind + " is neither mailbox=queue nor mailbox=park");
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
}
