package io.selvage.lab.program.savina;

import io.selvage.lab.program.Report;
import io.selvage.lab.program.Threads;

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

  private static void producer(Mailbox<Count> counter, int messages, Mailbox<Long> result) {
    for (int i = 0; i < messages; i++) {
      counter.send(INCREMENT);
    }
    Mailbox<Long> mailbox = new Mailbox<>();
    counter.send(new Count.Get(mailbox));
    result.send(mailbox.receive());
  }

  private static long run(Thread.Builder threads, int messages) {
    Mailbox<Count> counter = new Mailbox<>();
    Mailbox<Long> result = new Mailbox<>();
    threads.start(() -> counter(counter));
    threads.start(() -> producer(counter, messages, result));
    return result.receive();
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code threads=virtual} or {@code threads=platform}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int messages = arguments.count("messages");
          Thread.Builder threads = Threads.builder(arguments);
          return Measurement.measure("messages", messages, () -> run(threads, messages));
        });
  }
}
