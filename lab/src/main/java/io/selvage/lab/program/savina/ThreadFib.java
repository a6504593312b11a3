package io.selvage.lab.program.savina;

import io.selvage.lab.program.Mailbox;
import io.selvage.lab.program.Report;
import io.selvage.lab.program.Threads;
import java.util.function.Supplier;

/** Fibonacci's numbers; each call is a thread, and each message a value. */
public final class ThreadFib {
  private ThreadFib() {}

  private static void call(
      Thread.Builder threads,
      Supplier<Mailbox<Integer>> mailboxes,
      int n,
      Mailbox<Integer> caller) {
    if (n <= 2) {
      caller.send(1);
      return;
    }
    Mailbox<Integer> mailbox = mailboxes.get();
    threads.start(() -> call(threads, mailboxes, n - 1, mailbox));
    threads.start(() -> call(threads, mailboxes, n - 2, mailbox));
    caller.send(mailbox.receive() + mailbox.receive());
  }

  private static int run(Thread.Builder threads, Supplier<Mailbox<Integer>> mailboxes, int n) {
    Mailbox<Integer> result = mailboxes.get();
    threads.start(() -> call(threads, mailboxes, n, result));
    return result.receive();
  }

  /**
   * Runs the program.
   *
   * @param args {@code n=…}, {@code threads=…}, {@code mailbox=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int n = arguments.count("n");
          Thread.Builder threads = Threads.builder(arguments);
          Supplier<Mailbox<Integer>> mailboxes = Mailbox.kind(arguments);
          return Measurement.measure(
              "value", Expected.fibonacci(n), () -> run(threads, mailboxes, n));
        });
  }
}
