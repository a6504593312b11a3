package io.selvage.kernel.support;

import io.selvage.kernel.HeapGuard;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A program of its own JVM with a small heap: four processes send a slow one messages that are
 * large, and never so many that its mailbox would be long. They make one in a millisecond each: if
 * it took no time, 64 MB would be full before any other thread gets to run.
 */
public final class LargeMessagesProgram {
  private static final int SENDERS = 4;
  private static final int EACH = 225;
  private static final int BYTES = 200_000;

  private LargeMessagesProgram() {}

  /**
   * Prints how many messages were handled.
   *
   * @param args the kind of the processes, and whether there is a guard
   */
  public static void main(String[] args) throws InterruptedException {
    Kind kind = Kind.valueOf(args[0]);
    HeapGuard guard = Boolean.parseBoolean(args[1]) ? HeapGuard.defaults() : HeapGuard.off();
    CountDownLatch left = new CountDownLatch(SENDERS * EACH);
    try (Node node = Node.start(NodeOptions.defaults().withHeapGuard(guard))) {
      Pid<byte[]> slow =
          kind.spawn(
              node,
              (_, _) -> {
                LockSupport.parkNanos(2_000_000);
                left.countDown();
              });
      for (int i = 0; i < SENDERS; i++) {
        Pid<Integer> sender =
            kind.spawn(
                node,
                (self, number) -> {
                  LockSupport.parkNanos(1_000_000); // as long as it takes to read one
                  slow.send(new byte[BYTES]);
                  if (number < EACH) {
                    self.pid().send(number + 1);
                  }
                });
        sender.send(1);
      }
      left.await();
      System.out.println("handled " + SENDERS * EACH);
      System.out.println("pressed " + (node.stats().pressures() > 0));
    }
  }
}
