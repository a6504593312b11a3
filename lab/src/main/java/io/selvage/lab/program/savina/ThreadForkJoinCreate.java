package io.selvage.lab.program.savina;

import io.selvage.lab.program.Mailbox;
import io.selvage.lab.program.Report;
import io.selvage.lab.program.Threads;
import java.util.function.Supplier;

/** A parent creates threads, and each ends after its first message. */
public final class ThreadForkJoinCreate {
  private record Compute(double angle) {}

  private static final Compute COMPUTE = new Compute(Computation.ANGLE);

  private ThreadForkJoinCreate() {}

  private static void child(Mailbox<Compute> mailbox, Tally tally) {
    Computation.sine(mailbox.receive().angle());
    tally.end(1);
  }

  private static void parent(
      Thread.Builder threads, Supplier<Mailbox<Compute>> mailboxes, int actors, Tally tally) {
    for (int i = 0; i < actors; i++) {
      Mailbox<Compute> mailbox = mailboxes.get();
      threads.start(() -> child(mailbox, tally));
      mailbox.send(COMPUTE);
    }
  }

  private static long run(Thread.Builder threads, Supplier<Mailbox<Compute>> mailboxes, int actors)
      throws InterruptedException {
    Tally tally = new Tally(actors);
    threads.start(() -> parent(threads, mailboxes, actors, tally));
    return tally.await();
  }

  /**
   * Runs the program.
   *
   * @param args {@code actors=…}, {@code threads=…}, {@code mailbox=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int actors = arguments.count("actors");
          Thread.Builder threads = Threads.builder(arguments);
          Supplier<Mailbox<Compute>> mailboxes = Mailbox.kind(arguments);
          return Measurement.measure("ended", actors, () -> run(threads, mailboxes, actors));
        });
  }
}
