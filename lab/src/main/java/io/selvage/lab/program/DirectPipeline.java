package io.selvage.lab.program;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import java.util.concurrent.CompletableFuture;

/** The pipeline of direct processes. */
public final class DirectPipeline {
  private DirectPipeline() {}

  private static Body<String> rewriter(Stage stage, Pid<String> next) {
    return self -> {
      String text = self.receive();
      while (!text.equals(Stage.STOP)) {
        next.send(stage.rewrite(text));
        text = self.receive();
      }
      next.send(text);
    };
  }

  /** The last stage, which checks and counts. */
  private static Body<String> writer(CompletableFuture<Long> written) {
    return self -> {
      long count = 0;
      String text = self.receive();
      while (!text.equals(Stage.STOP) && Stage.isRight(Stage.WRITER.rewrite(text), count)) {
        count++;
        text = self.receive();
      }
      written.complete(count);
    };
  }

  private static PipelineMeasurement.Pipeline run(Node node, int items) {
    long start = System.nanoTime();
    CompletableFuture<Long> written = new CompletableFuture<>();
    Pid<String> writer = node.spawn(writer(written));
    Pid<String> indexer = node.spawn(rewriter(Stage.INDEXER, writer));
    Pid<String> downloader = node.spawn(rewriter(Stage.DOWNLOADER, indexer));
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
   * @param args {@code items=…}, {@code workers=true} to run on the node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(arguments.flag("workers"))) {
            return PipelineMeasurement.measure(arguments, items -> run(node, items));
          }
        });
  }
}
