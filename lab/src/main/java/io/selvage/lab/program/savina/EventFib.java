package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Report;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Fibonacci's numbers; each call is an event process, and each message a value. */
public final class EventFib {
  private EventFib() {}

  /** Waits for the values of both calls that it made. */
  private static final class Call implements Behavior<Integer> {
    private final Pid<Integer> caller;
    private int values;
    private int sum;

    private Call(Pid<Integer> caller) {
      this.caller = caller;
    }

    static Behavior<Integer> of(int n, Pid<Integer> caller) {
      return Behavior.setup(self -> {
        if (n <= 2) {
          caller.send(1);
          return Behavior.stop();
        }
        self.spawn(of(n - 1, self.pid()));
        self.spawn(of(n - 2, self.pid()));
        return new Call(caller);
      });
    }

    @Override
    public Behavior<Integer> onMessage(Self<Integer> self, Integer value) {
      values++;
      sum += value;
      if (values < 2) {
        return this;
      }
      caller.send(sum);
      return Behavior.stop();
    }
  }

  private static int run(Node node, int n) throws InterruptedException, ExecutionException {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Pid<Integer> caller =
        node.spawn((_, value) -> {
          result.complete(value);
          return Behavior.stop();
        });
    node.spawn(Call.of(n, caller));
    return result.get();
  }

  /**
   * Runs the program.
   *
   * @param args {@code n=…}
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
