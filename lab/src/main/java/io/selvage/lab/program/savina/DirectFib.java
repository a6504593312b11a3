package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.lab.program.Report;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Fibonacci's numbers; each call is a direct process, and each message a value. */
public final class DirectFib {
  private DirectFib() {}

  private static Body<Integer> call(int n, Pid<Integer> caller) {
    return self -> {
      if (n <= 2) {
        caller.send(1);
        return;
      }
      self.spawn(call(n - 1, self.pid()));
      self.spawn(call(n - 2, self.pid()));
      caller.send(self.receive() + self.receive());
    };
  }

  private static int run(Node node, int n) throws InterruptedException, ExecutionException {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Pid<Integer> caller = node.spawn(self -> result.complete(self.receive()));
    node.spawn(call(n, caller));
    return result.get();
  }

  /**
   * Runs the program.
   *
   * @param args {@code n=…}, {@code workers=true} to run on the node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int n = arguments.count("n");
          return Measurement.onNode(
              arguments, "value", Expected.fibonacci(n), node -> run(node, n));
        });
  }
}
