package io.selvage.lab.program;

import static io.selvage.lab.program.SkynetMeasurement.CHILDREN;

import java.util.function.Supplier;

/** The tree of plain Java threads, virtual or platform; a leaf needs no mailbox. */
public final class ThreadSkynet {
  private final Thread.Builder threads;
  private final Supplier<Mailbox<Long>> mailboxes;

  private ThreadSkynet(Thread.Builder threads, Supplier<Mailbox<Long>> mailboxes) {
    this.threads = threads;
    this.mailboxes = mailboxes;
  }

  /** A leaf reports its number, any other thread the sum of its children. */
  private void run(Mailbox<Long> parent, long number, long leaves) {
    if (leaves == 1) {
      parent.send(number);
      return;
    }
    Mailbox<Long> mailbox = mailboxes.get();
    long each = leaves / CHILDREN;
    for (int i = 0; i < CHILDREN; i++) {
      start(mailbox, number + i * each, each);
    }
    long sum = 0;
    for (int i = 0; i < CHILDREN; i++) {
      sum += mailbox.receive();
    }
    parent.send(sum);
  }

  private void start(Mailbox<Long> parent, long number, long leaves) {
    threads.start(() -> run(parent, number, leaves));
  }

  private SkynetMeasurement.Tree grow(int leaves) {
    long start = System.nanoTime();
    Mailbox<Long> result = mailboxes.get();
    start(result, 0, leaves);
    long sum = result.receive();
    return new SkynetMeasurement.Tree(System.nanoTime() - start, sum);
  }

  /**
   * Runs the program.
   *
   * @param args {@code leaves=…}, {@code threads=virtual} or {@code threads=platform}, {@code
   *     mailbox=queue} or {@code mailbox=park}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          ThreadSkynet skynet =
              new ThreadSkynet(Threads.builder(arguments), Mailbox.kind(arguments));
          return SkynetMeasurement.measure(arguments, skynet::grow);
        });
  }
}
