package io.selvage.lab.program.savina;

import io.selvage.lab.program.Arguments;
import io.selvage.lab.program.Mailbox;
import io.selvage.lab.program.Report;
import io.selvage.lab.program.Threads;
import java.util.function.Supplier;

/** A producer and a counter that are threads. */
public final class ThreadCounting {
  private sealed interface Count {
    record Increment() implements Count {}

    record Get(Mailbox<Long> replyTo) implements Count {}
  }

  private static final Count INCREMENT = new Count.Increment();

  private ThreadCounting() {}

  private static void counter(Mailbox<Count> mailbox) {
    long count = 0;
    while (true) {
      switch (mailbox.receive()) {
        case Count.Increment _ -> count++;
        case Count.Get(var replyTo) -> {
          replyTo.send(count);
          return;
        }
      }
    }
  }

  private static void producer(
      Mailbox<Count> counter, int messages, Mailbox<Long> mailbox, Mailbox<Long> result) {
    for (int i = 0; i < messages; i++) {
      counter.send(INCREMENT);
    }
    counter.send(new Count.Get(mailbox));
    result.send(mailbox.receive());
  }

  private static long run(Arguments arguments, Thread.Builder threads, int messages) {
    Supplier<Mailbox<Long>> mailboxes = Mailbox.kind(arguments);
    Mailbox<Count> counter = Mailbox.<Count>kind(arguments).get();
    Mailbox<Long> result = mailboxes.get();
    threads.start(() -> counter(counter));
    threads.start(() -> producer(counter, messages, mailboxes.get(), result));
    return result.receive();
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code threads=…}, {@code mailbox=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int messages = arguments.count("messages");
          Thread.Builder threads = Threads.builder(arguments);
          return Measurement.measure("messages", messages, () -> run(arguments, threads, messages));
        });
  }
}
