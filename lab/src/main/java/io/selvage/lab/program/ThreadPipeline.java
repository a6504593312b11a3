package io.selvage.lab.program;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The pipeline of plain Java threads, virtual or platform. */
public final class ThreadPipeline {
  private ThreadPipeline() {}

  private static void rewrite(Stage stage, Mailbox<String> mailbox, Mailbox<String> next) {
    String text = mailbox.receive();
    while (!text.equals(Stage.STOP)) {
      next.send(stage.rewrite(text));
      text = mailbox.receive();
    }
    next.send(text);
  }

  /** The last stage, which checks and counts. */
  private static void write(Mailbox<String> mailbox, CompletableFuture<Long> written) {
    long count = 0;
    String text = mailbox.receive();
    while (!text.equals(Stage.STOP) && Stage.isRight(Stage.WRITER.rewrite(text), count)) {
      count++;
      text = mailbox.receive();
    }
    written.complete(count);
  }

  private static PipelineMeasurement.Pipeline run(
      Thread.Builder threads, Supplier<Mailbox<String>> mailboxes, int items) {
    long start = System.nanoTime();
    CompletableFuture<Long> written = new CompletableFuture<>();
    Mailbox<String> requested = mailboxes.get();
    Mailbox<String> downloaded = mailboxes.get();
    Mailbox<String> indexed = mailboxes.get();
    threads.start(() -> rewrite(Stage.DOWNLOADER, requested, downloaded));
    threads.start(() -> rewrite(Stage.INDEXER, downloaded, indexed));
    threads.start(() -> write(indexed, written));
    for (int i = 0; i < items; i++) {
      requested.send(Stage.request(i));
    }
    requested.send(Stage.STOP);
    long count = written.join();
    return new PipelineMeasurement.Pipeline(System.nanoTime() - start, count);
  }

  /**
   * Runs the program.
   *
   * @param args {@code items=…}, {@code threads=virtual} or {@code threads=platform}, {@code
   *     mailbox=queue} or {@code mailbox=park}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Thread.Builder threads = Threads.builder(arguments);
          Supplier<Mailbox<String>> mailboxes = Mailbox.kind(arguments);
          return PipelineMeasurement.measure(arguments, items -> run(threads, mailboxes, items));
        });
  }
}
