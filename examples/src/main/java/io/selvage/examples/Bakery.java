package io.selvage.examples;

import io.selvage.channel.Channel;
import io.selvage.channel.Intake;
import io.selvage.channel.IntakeResult;
import io.selvage.channel.Overflow;
import io.selvage.channel.Received;
import io.selvage.channel.Select;
import io.selvage.channel.Sink;
import io.selvage.channel.Source;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The guide's channels: orders go in, loaves come out. */
public final class Bakery {
  private Bakery() {}

  private static final Duration SECOND = Duration.ofSeconds(1);

  static void bake(Source<String> orders, Sink<String> loaves) throws InterruptedException {
    while (orders.receiveOrClosed() instanceof Received.Item<String>(String order)) {
      loaves.send("loaf for " + order);
    }
  }

  static List<String> day(Node node) throws InterruptedException {
    Channel<String> orders = Channel.bounded(100);
    Channel<String> loaves = Channel.rendezvous();
    Body<Void> baker =
        _ -> {
          bake(orders, loaves);
          loaves.close();
        };
    node.spawn(baker);
    orders.send("Ann");
    orders.send("Bob");
    orders.close();
    List<String> sold = new ArrayList<>();
    loaves.receiveEach(Intake.untilClosed(), sold::add);
    return sold;
  }

  static List<String> window() throws InterruptedException {
    Channel<String> window = Channel.bounded(2, Overflow.dropOldest());
    window.send("monday's");
    window.send("tuesday's");
    window.send("wednesday's");
    List<String> shown = new ArrayList<>();
    IntakeResult result =
        window.receiveEach(
            Intake.untilClosed().handling(10).emptyTimeout(Duration.ofMillis(10)), shown::add);
    shown.add(result.end().name());
    return shown;
  }

  sealed interface Msg {
    record Close(ReplyTo<String> replyTo) implements Msg {}
  }

  static void counter(DirectSelf<Msg> self, Source<String> bread, Source<String> cake)
      throws InterruptedException {
    List<String> sold = new ArrayList<>();
    Select<Boolean> next =
        Select.<Boolean>cases()
            .receive(bread, loaf -> sold.add("bread " + loaf))
            .receive(cake, piece -> sold.add("cake " + piece))
            .mailbox(
                self,
                message -> {
                  switch (message) {
                    case Msg.Close(var replyTo) -> replyTo.send(sold.size() + " sold");
                  }
                  return false;
                });
    while (next.select()) {
      // the next customer
    }
  }

  sealed interface Oven {
    record Dough(Received<String> dough) implements Oven {}
  }

  static Behavior<Oven> oven(Source<String> dough, Sink<String> out) {
    return Behavior.setup(self -> {
      dough.requestReceive(self, Oven.Dough::new);
      return (_, message) -> baked(self, message, dough, out);
    });
  }

  static Behavior<Oven> baked(
      Self<Oven> self, Oven message, Source<String> dough, Sink<String> out) {
    return switch (message) {
      case Oven.Dough(Received.Item<String>(String piece)) -> {
        out.trySend("baked " + piece);
        dough.requestReceive(self, Oven.Dough::new);
        yield Behavior.same();
      }
      case Oven.Dough(_) -> Behavior.stop();
    };
  }

  /** Prints what is baked and sold. */
  public static void main(String[] args) throws InterruptedException {
    try (Node node = Node.start()) {
      System.out.println(day(node));
      System.out.println(window());

      Channel<String> bread = Channel.rendezvous();
      Channel<String> cake = Channel.rendezvous();
      Body<Msg> counter = self -> counter(self, bread, cake);
      Pid<Msg> shop = node.spawn(counter);
      bread.send("rye");
      cake.send("plum");
      System.out.println(shop.<String>call(Msg.Close::new, SECOND));

      Channel<String> dough = Channel.bounded(2);
      Channel<String> out = Channel.unbounded();
      node.spawn(oven(dough, out));
      dough.send("roll");
      System.out.println(out.receive());
      dough.close();
    }
  }
}
