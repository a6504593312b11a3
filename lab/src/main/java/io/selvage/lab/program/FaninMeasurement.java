package io.selvage.lab.program;

/** Holds the watch for the fanin programs. */
final class FaninMeasurement {
  private FaninMeasurement() {}

  /**
   * What the receiver of one run got.
   *
   * @param nanos from the word to begin until the receiver had all
   * @param sum of the numbers it got
   */
  record Received(long nanos, long sum) {}

  /** Has senders send the numbers from 0 on, each as many, to one receiver. */
  @FunctionalInterface
  interface FaninProgram {
    Received run(int senders, int messages) throws Exception;
  }

  static Report measure(Arguments arguments, FaninProgram program) throws Exception {
    int senders = arguments.count("senders");
    int messages = arguments.count("messages");
    long all = (long) senders * messages;
    long sum = senders * (messages * (messages - 1L) / 2);
    Repeats repeats =
        Repeats.of(() -> {
          Received received = program.run(senders, messages);
          Repeats.ensure("the sum", received.sum, sum);
          return received.nanos;
        });
    return new Report()
        .with("messages_per_second", all * 1e9 / repeats.medianNanos())
        .with("messages_per_second_cold", all * 1e9 / repeats.coldNanos())
        .with("messages", all)
        .withPeakMemory();
  }
}
