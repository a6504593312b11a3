package io.selvage.lab.program;

/** Overload of a plain Java thread by others, virtual or platform. */
public final class ThreadOverload {
  private ThreadOverload() {}

  private static void consume(Load load, Mailbox<Long> mailbox) {
    while (true) {
      mailbox.receive();
      load.take();
    }
  }

  private static void produce(Load load, int number, Mailbox<Long> consumer) {
    for (long next = load.next(number); next >= 0; next = load.next(number)) {
      consumer.send(next);
    }
    load.ended();
  }

  private static void start(
      Thread.Builder threads, Mailbox<Long> mailbox, Load load, int producers) {
    threads.start(() -> consume(load, mailbox));
    for (int i = 0; i < producers; i++) {
      int number = i;
      threads.start(() -> produce(load, number, mailbox));
    }
  }

  /**
   * Runs the program.
   *
   * @param args {@code producers=…}, {@code work=…} in microseconds, {@code seconds=…}, {@code
   *     threads=virtual} or {@code threads=platform}, {@code mailbox=queue} or {@code
   *     mailbox=bounded}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Thread.Builder threads = Threads.builder(arguments);
          Mailbox<Long> mailbox = Mailbox.<Long>kind(arguments).get();
          return OverloadMeasurement.measure(
              arguments, (load, producers) -> start(threads, mailbox, load, producers));
        });
  }
}
