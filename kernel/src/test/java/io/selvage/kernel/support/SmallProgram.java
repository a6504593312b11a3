package io.selvage.kernel.support;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.spi.KernelEvent;
import java.time.Duration;

/**
 * A program of its own JVM, which may have little: processes of both kinds, a restart, a stream.
 */
public final class SmallProgram {
  private record Twice(int number, ReplyTo<Integer> replyTo) {}

  private SmallProgram() {}

  /** Prints whether the flight recorder is there, and 42. */
  public static void main(String[] args) {
    System.out.println("jdk.jfr " + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
    try (Node node = Node.start();
        Subscription _ =
            node.subscribe(EventFilter.of(KernelEvent.ProcessSpawned.class), _ -> {})) {
      Pid<Twice> behavior =
          node.spawn((_, request) -> {
            request.replyTo().send(2 * request.number());
            return Behavior.same();
          });
      Pid<Twice> body =
          node.spawn(
              self -> {
                while (true) {
                  Twice request = self.receive();
                  request.replyTo().send(2 * request.number());
                }
              },
              SpawnOptions.<Twice>defaults().restartOf(behavior));
      Duration limit = Duration.ofSeconds(10);
      int sum =
          behavior.<Integer>call(replyTo -> new Twice(10, replyTo), limit)
              + body.<Integer>call(replyTo -> new Twice(11, replyTo), limit);
      System.out.println(sum);
    }
  }
}
