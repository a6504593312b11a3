package io.selvage.examples;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Exit;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReportOptions;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.KernelEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A process three levels deep crashes, and its report is printed. */
public final class Shop {
  private static final Name<Order> TILL = Name.of("till");

  private Shop() {}

  sealed interface Order {
    record Pay(long cents) implements Order {}

    record Refund(long cents, String card) implements Order {}
  }

  record Till(long cents) implements Behavior<Order> {
    @Override
    public Behavior<Order> onMessage(Self<Order> self, Order order) {
      return switch (order) {
        case Order.Pay(long paid) -> new Till(Math.addExact(cents, paid));
        case Order.Refund(long back, _) -> new Till(Math.subtractExact(cents, back));
      };
    }
  }

  private static String shown(Object value) {
    return value instanceof Order.Refund(long cents, _)
        ? "Refund[cents=" + cents + ", card=(hidden)]"
        : value.toString();
  }

  /** Second level: starts the till, gives it four orders at once, and outlives it. */
  private static void counter(DirectSelf<Exit> self) throws InterruptedException {
    self.trapExits(exit -> exit);
    CountDownLatch open = new CountDownLatch(1);
    Pid<Order> till =
        self.spawn(
            Behavior.setup(_ -> {
              open.await();
              return new Till(0);
            }),
            SpawnOptions.<Order>defaults().linked().named(TILL).labelled("till 1"));
    till.send(new Order.Pay(500));
    till.send(new Order.Pay(Long.MAX_VALUE));
    till.send(new Order.Pay(700));
    till.send(new Order.Refund(300, "4111 1111 1111 1111"));
    open.countDown();
    self.receive();
  }

  /** First level. */
  private static void manager(DirectSelf<Object> self) {
    Body<Exit> counter = Shop::counter;
    self.spawn(counter, SpawnOptions.<Exit>defaults().labelled("counter"));
    self.receive();
  }

  /**
   * Runs the example.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    CompletableFuture<String> report = new CompletableFuture<>();
    NodeOptions options =
        NodeOptions.defaults()
            .withName("shop")
            .withReports(ReportOptions.defaults().withText(Shop::shown))
            .withEvents(event -> {
              if (event instanceof KernelEvent.ProcessCrashed(var crash)) {
                report.complete(crash.toString());
              }
            });
    try (Node node = Node.start(options)) {
      Body<Object> manager = Shop::manager;
      node.spawn(manager, SpawnOptions.<Object>defaults().labelled("manager"));
      System.out.println(report.join());
    }
  }
}
