package io.selvage.lab.program;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Fan-in of plain Java threads, virtual or platform. */
public final class ThreadFanin {
  private ThreadFanin() {}

  private static void receive(Mailbox<Long> mailbox, long messages, CompletableFuture<Long> total) {
    long sum = 0;
    for (long i = 0; i < messages; i++) {
      sum += mailbox.receive();
    }
    total.complete(sum);
  }

  private static void send(
      Mailbox<Long> receiver, long messages, CountDownLatch starting, CountDownLatch go) {
    starting.countDown();
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a sender", e);
    }
    for (long i = 0; i < messages; i++) {
      receiver.send(i);
    }
  }

  private static FaninMeasurement.Received run(
      Thread.Builder threads, Mailbox<Long> mailbox, int senders, int messages)
      throws InterruptedException {
    CompletableFuture<Long> total = new CompletableFuture<>();
    threads.start(() -> receive(mailbox, (long) senders * messages, total));
    CountDownLatch starting = new CountDownLatch(senders);
    CountDownLatch go = new CountDownLatch(1);
    for (int i = 0; i < senders; i++) {
      threads.start(() -> send(mailbox, messages, starting, go));
    }
    starting.await();

    long start = System.nanoTime();
    go.countDown();
    long sum = total.join();
    return new FaninMeasurement.Received(System.nanoTime() - start, sum);
  }

  /**
   * Runs the program.
   *
   * @param args {@code senders=…}, {@code messages=…}, {@code threads=virtual} or {@code
   *     threads=platform}, {@code mailbox=queue} or {@code mailbox=park}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Thread.Builder threads = Threads.builder(arguments);
          Supplier<Mailbox<Long>> mailboxes = Mailbox.kind(arguments);
          return FaninMeasurement.measure(
              arguments, (senders, messages) -> run(threads, mailboxes.get(), senders, messages));
        });
  }
}
