package io.selvage.lab.program.savina;

import io.selvage.lab.program.Report;
import io.selvage.lab.program.Threads;

/** Fibonacci's numbers; each call is a thread, and each message a value. */
public final class ThreadFib {
  private ThreadFib() {}

  private static void call(Thread.Builder threads, int n, Mailbox<Integer> caller) {
    if (n <= 2) {
      caller.send(1);
      return;
    }
    Mailbox<Integer> mailbox = new Mailbox<>();
    threads.start(() -> call(threads, n - 1, mailbox));
    threads.start(() -> call(threads, n - 2, mailbox));
    caller.send(mailbox.receive() + mailbox.receive());
  }

  private static int run(Thread.Builder threads, int n) {
    Mailbox<Integer> result = new Mailbox<>();
    threads.start(() -> call(threads, n, result));
    return result.receive();
  }

  /**
   * Runs the program.
   *
   * @param args {@code n=…}, {@code threads=virtual} or {@code threads=platform}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int n = arguments.count("n");
          Thread.Builder threads = Threads.builder(arguments);
          return Measurement.measure("value", Expected.fibonacci(n), () -> run(threads, n));
        });
  }
}
