package io.selvage.lab.program;

import java.util.concurrent.LinkedTransferQueue;

/** The smallest program with a plain Java thread, virtual or platform. */
public final class ThreadStartup {
  private ThreadStartup() {}

  private static void answer(
      LinkedTransferQueue<Integer> questions, LinkedTransferQueue<Integer> answers) {
    try {
      answers.add(StartupReport.answer(questions.take()));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the one who answers", e);
    }
  }

  /**
   * Runs the program.
   *
   * @param args {@code threads=virtual} or {@code threads=platform}
   * @throws InterruptedException if this thread is interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    LinkedTransferQueue<Integer> questions = new LinkedTransferQueue<>();
    LinkedTransferQueue<Integer> answers = new LinkedTransferQueue<>();
    Threads.builder(new Arguments(args)).start(() -> answer(questions, answers));
    questions.add(StartupReport.QUESTION);
    StartupReport.print(answers.take());
  }
}
