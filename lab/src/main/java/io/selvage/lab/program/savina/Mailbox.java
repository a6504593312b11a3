package io.selvage.lab.program.savina;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;

/**
 * What a thread receives from: a {@link LinkedTransferQueue}, of the JDK's queues the fastest for
 * messages.
 *
 * @param <M> the messages
 */
final class Mailbox<M> {
  private final TransferQueue<M> queue = new LinkedTransferQueue<>();

  void send(M message) {
    queue.add(message);
  }

  /** Takes the oldest message, and waits for one if there is none. */
  M receive() {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a thread that receives", e);
    }
  }
}
