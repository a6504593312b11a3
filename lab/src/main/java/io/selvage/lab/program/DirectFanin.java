package io.selvage.lab.program;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Fan-in of direct processes. */
public final class DirectFanin {
  private record Go() {}

  private static final Go GO = new Go();

  private DirectFanin() {}

  private static Body<Long> receiver(long messages, CompletableFuture<Long> total) {
    return self -> {
      long sum = 0;
      for (long i = 0; i < messages; i++) {
        sum += self.receive();
      }
      total.complete(sum);
    };
  }

  private static Body<Go> sender(Pid<Long> receiver, long messages, CountDownLatch starting) {
    return self -> {
      starting.countDown();
      self.receive();
      for (long i = 0; i < messages; i++) {
        receiver.send(i);
      }
    };
  }

  private static FaninMeasurement.Received run(Node node, int senders, int messages)
      throws InterruptedException {
    CompletableFuture<Long> total = new CompletableFuture<>();
    Pid<Long> receiver = node.spawn(receiver((long) senders * messages, total));
    CountDownLatch starting = new CountDownLatch(senders);
    List<Pid<Go>> all = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      all.add(node.spawn(sender(receiver, messages, starting)));
    }
    starting.await();

    long start = System.nanoTime();
    all.forEach(sender -> sender.send(GO));
    long sum = total.join();
    return new FaninMeasurement.Received(System.nanoTime() - start, sum);
  }

  /**
   * Runs the program.
   *
   * @param args {@code senders=…}, {@code messages=…}, {@code workers=true} to run on the node's
   *     own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(arguments.flag("workers"))) {
            return FaninMeasurement.measure(
                arguments, (senders, messages) -> run(node, senders, messages));
          }
        });
  }
}
