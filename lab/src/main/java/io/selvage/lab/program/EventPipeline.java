package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import java.util.concurrent.CompletableFuture;

/** The pipeline of event processes. */
public final class EventPipeline {
  private EventPipeline() {}

  private record Rewriter(Stage stage, Pid<String> next) implements Behavior<String> {
    @Override
    public Behavior<String> onMessage(Self<String> self, String text) {
      if (text.equals(Stage.STOP)) {
        next.send(text);
        return Behavior.stop();
      }
      next.send(stage.rewrite(text));
      return this;
    }
  }

  /** The last stage, which checks and counts. */
  private static final class Writer implements Behavior<String> {
    private final CompletableFuture<Long> written;
    private long count;

    Writer(CompletableFuture<Long> written) {
      this.written = written;
    }

    @Override
    public Behavior<String> onMessage(Self<String> self, String text) {
      if (!text.equals(Stage.STOP) && Stage.isRight(Stage.WRITER.rewrite(text), count)) {
        count++;
        return this;
      }
      written.complete(count);
      return Behavior.stop();
    }
  }

  private static PipelineMeasurement.Pipeline run(Node node, int items) {
    long start = System.nanoTime();
    CompletableFuture<Long> written = new CompletableFuture<>();
    Pid<String> writer = node.spawn(new Writer(written));
    Pid<String> indexer = node.spawn(new Rewriter(Stage.INDEXER, writer));
    Pid<String> downloader = node.spawn(new Rewriter(Stage.DOWNLOADER, indexer));
    for (int i = 0; i < items; i++) {
      downloader.send(Stage.request(i));
    }
    downloader.send(Stage.STOP);
    long count = written.join();
    return new PipelineMeasurement.Pipeline(System.nanoTime() - start, count);
  }

  /**
   * Runs the program.
   *
   * @param args {@code items=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(false)) {
            return PipelineMeasurement.measure(arguments, items -> run(node, items));
          }
        });
  }
}
