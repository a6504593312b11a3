package io.selvage.examples;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.DeadLetterCount;
import io.selvage.kernel.DeadLetterStats;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.spi.KernelEvent;
import java.util.concurrent.CountDownLatch;

/** The guide's dead letters: parcels to a house that is empty, which go to a depot instead. */
public final class ReturnedParcels {
  private ReturnedParcels() {}

  private static final CountDownLatch STORED = new CountDownLatch(3);

  record Parcel(int number) {}

  static Behavior<KernelEvent> clerk(Pid<Parcel> depot) {
    return Behavior.setup(self -> {
      Subscription _ = self.subscribe(EventFilter.of(KernelEvent.DeadLetter.class), event -> event);
      return (_, event) -> {
        if (event instanceof KernelEvent.DeadLetter letter
            && letter.message() instanceof Parcel parcel) {
          depot.send(parcel);
        }
        return Behavior.same();
      };
    });
  }

  static void report(Node node) {
    DeadLetterStats lost = node.deadLetters();
    System.out.println(lost.total() + " reached nobody");
    for (DeadLetterCount kind : lost.kinds()) {
      System.out.printf(
          "%d to %s, which %s%n", kind.count(), kind.receiver(), kind.cause().words());
    }
  }

  private static Behavior<Parcel> depot() {
    return (_, parcel) -> {
      System.out.println("in the depot: " + parcel);
      STORED.countDown();
      return Behavior.same();
    };
  }

  /**
   * Sends parcels to a house that is empty.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    NodeOptions quiet = NodeOptions.defaults().withName("post").withEvents(_ -> {});
    try (Node node = Node.start(quiet)) {
      Pid<Parcel> house = node.spawn((_, _) -> Behavior.stop());
      house.send(new Parcel(0));
      while (house.isAlive()) {
        Thread.sleep(1);
      }
      Pid<KernelEvent> clerk = node.spawn(clerk(node.spawn(depot())));
      while (node.stats().subscriptions() == 0) {
        Thread.sleep(1);
      }
      for (int number = 1; number <= 3; number++) {
        house.send(new Parcel(number));
      }
      STORED.await();
      report(node);
      clerk.kill();
    }
  }
}
