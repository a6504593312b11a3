package io.selvage.examples;

import io.selvage.kernel.Body;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Receive;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Of the guide: a process that takes an order and then waits for what belongs to it. */
public final class Checkout {
  private Checkout() {}

  sealed interface Msg {
    record Order(String what) implements Msg {}

    record Paid(long cents) implements Msg {}

    record Refused(String why) implements Msg {}
  }

  static final Receive<Msg, String> ANSWER =
      Receive.<Msg, String>cases()
          .on(Msg.Paid.class, paid -> paid.cents() > 0, paid -> "paid " + paid.cents())
          .on(Msg.Refused.class, refused -> "refused, " + refused.why());

  static Body<Msg> till(BlockingQueue<String> slips) {
    return self -> {
      while (true) {
        Msg.Order order = self.receive(Msg.Order.class);
        String answer = self.receive(ANSWER, Duration.ofSeconds(5));
        slips.add(order.what() + ": " + (answer == null ? "no answer" : answer));
      }
    };
  }

  /**
   * Prints two slips.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<String> slips = new LinkedBlockingQueue<>();
    try (Node node = Node.start()) {
      Pid<Msg> till = node.spawn(till(slips));
      List.of(
              new Msg.Paid(0),
              new Msg.Order("tea"),
              new Msg.Order("milk"),
              new Msg.Paid(250),
              new Msg.Refused("no money"))
          .forEach(till::send);
      System.out.println(slips.take());
      System.out.println(slips.take());
    }
  }
}
