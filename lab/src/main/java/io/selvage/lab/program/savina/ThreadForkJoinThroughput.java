package io.selvage.lab.program.savina;

import io.selvage.lab.program.Mailbox;
import io.selvage.lab.program.Report;
import io.selvage.lab.program.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A sender and many receivers that are threads. */
public final class ThreadForkJoinThroughput {
  private record Compute(double angle) {}

  private static final Compute COMPUTE = new Compute(Computation.ANGLE);

  private ThreadForkJoinThroughput() {}

  private static void receiver(Mailbox<Compute> mailbox, int messages, Tally tally) {
    int count = 0;
    while (count < messages) {
      Computation.sine(mailbox.receive().angle());
      count++;
    }
    tally.end(count);
  }

  private static void sender(List<Mailbox<Compute>> receivers, int messages) {
    for (int i = 0; i < messages; i++) {
      for (Mailbox<Compute> receiver : receivers) {
        receiver.send(COMPUTE);
      }
    }
  }

  private static long run(
      Thread.Builder threads, Supplier<Mailbox<Compute>> mailboxes, int messages, int actors)
      throws InterruptedException {
    Tally tally = new Tally(actors);
    List<Mailbox<Compute>> receivers = new ArrayList<>();
    for (int i = 0; i < actors; i++) {
      Mailbox<Compute> mailbox = mailboxes.get();
      threads.start(() -> receiver(mailbox, messages, tally));
      receivers.add(mailbox);
    }
    threads.start(() -> sender(receivers, messages));
    return tally.await();
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code actors=…}, {@code threads=…}, {@code mailbox=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int messages = arguments.count("messages");
          int actors = arguments.count("actors");
          Thread.Builder threads = Threads.builder(arguments);
          Supplier<Mailbox<Compute>> mailboxes = Mailbox.kind(arguments);
          return Measurement.measure(
              "messages",
              (long) messages * actors,
              () -> run(threads, mailboxes, messages, actors));
        });
  }
}
