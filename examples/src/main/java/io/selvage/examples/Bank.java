package io.selvage.examples;

import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.EventSink;
import io.selvage.otp.ChildSpec;
import io.selvage.otp.ChildTraits;
import io.selvage.otp.DynamicSpec;
import io.selvage.otp.DynamicSupervisor;
import io.selvage.otp.FirstStep;
import io.selvage.otp.Next;
import io.selvage.otp.Restart;
import io.selvage.otp.Server;
import io.selvage.otp.Shutdown;
import io.selvage.otp.Supervisor;
import io.selvage.otp.SupervisorSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A bank whose processes crash again and again, and which loses no cent. */
public final class Bank {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final int ACCOUNTS = 100;
  private static final Name<Ledger.Msg> LEDGER = Name.of("ledger");

  private Bank() {}

  /** Holds the money. It does so little that it has no reason to fail. */
  record Ledger(long opening) implements Server<Map<Integer, Long>, Ledger.Msg> {
    sealed interface Msg {
      record Move(int from, int to, long cents, ReplyTo<Boolean> replyTo) implements Msg {}

      record Total(ReplyTo<Long> replyTo) implements Msg {}
    }

    @Override
    public FirstStep<Map<Integer, Long>, Msg> init(Self<Msg> self) {
      Map<Integer, Long> accounts = new HashMap<>();
      for (int i = 0; i < ACCOUNTS; i++) {
        accounts.put(i, opening);
      }
      return Next.with(Map.copyOf(accounts));
    }

    @Override
    public Next<Map<Integer, Long>, Msg> onMessage(
        Self<Msg> self, Map<Integer, Long> accounts, Msg message) {
      return switch (message) {
        case Msg.Total(var replyTo) -> {
          replyTo.send(accounts.values().stream().mapToLong(Long::longValue).sum());
          yield Next.same();
        }
        case Msg.Move(int from, int to, long cents, var replyTo) -> {
          boolean covered = accounts.getOrDefault(from, 0L) >= cents;
          replyTo.send(covered);
          if (!covered) {
            yield Next.same();
          }
          Map<Integer, Long> moved = new HashMap<>(accounts);
          moved.merge(from, -cents, Long::sum);
          moved.merge(to, cents, Long::sum);
          yield Next.with(Map.copyOf(moved));
        }
      };
    }
  }

  /** Serves customers, counts what it did, and crashes on bad orders. */
  record Teller() implements Server<Integer, Teller.Order> {
    /** An order; some have no amount, which no teller has thought of. */
    record Order(int from, int to, Optional<Long> cents) {}

    @Override
    public FirstStep<Integer, Order> init(Self<Order> self) {
      return Next.with(0);
    }

    @Override
    public Next<Integer, Order> onMessage(Self<Order> self, Integer served, Order order) {
      Pid<Ledger.Msg> ledger = self.node().whereis(LEDGER).orElseThrow();
      long cents = order.cents().orElseThrow();
      ledger.<Boolean>call(
          replyTo -> new Ledger.Msg.Move(order.from(), order.to(), cents, replyTo), SOON);
      return Next.with(served + 1);
    }
  }

  static SupervisorSpec bank() {
    return SupervisorSpec.restForOne(
            ChildSpec.of(
                "ledger",
                Server.of(new Ledger(1000)),
                SpawnOptions.<Ledger.Msg>defaults().named(LEDGER)))
        .withIntensity(3, Duration.ofMinutes(1))
        .withDeadline(Duration.ofSeconds(30));
  }

  static final ChildTraits TELLER =
      ChildTraits.of("teller")
          .restarting(Restart.TRANSIENT)
          .stopping(Shutdown.after(Duration.ofSeconds(1)));

  static Pid<Teller.Order> hire(DynamicSupervisor tellers) {
    return tellers
        .startChild(ChildSpec.of(TELLER, Server.of(new Teller()), SpawnOptions.defaults()))
        .orThrow()
        .pid();
  }

  static DynamicSupervisor open(Node node) {
    Supervisor bank = Supervisor.start(node, bank()).orThrow().value();
    return bank.startChild(
            ChildSpec.supervisor(
                "tellers", DynamicSupervisor.of(DynamicSpec.defaults().withIntensity(1000, SOON))))
        .orThrow()
        .value();
  }

  private static int restarts(DynamicSupervisor tellers) {
    return tellers.whichChildren().stream().mapToInt(teller -> teller.past().restarts()).sum();
  }

  /**
   * Runs the example.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    EventSink silent = event -> {}; // the crashes are on purpose
    try (Node node = Node.start(NodeOptions.defaults().withEvents(silent))) {
      DynamicSupervisor tellers = open(node);
      Random random = new Random(1);
      for (int i = 0; i < 20; i++) {
        Pid<Teller.Order> teller = hire(tellers);
        for (int n = 0; n < 50; n++) {
          int from = random.nextInt(ACCOUNTS);
          Long cents = n == 30 ? null : (Long) (long) random.nextInt(300);
          teller.send(new Teller.Order(from, ACCOUNTS - 1 - from, Optional.ofNullable(cents)));
        }
      }
      while (restarts(tellers) < 20) {
        Thread.onSpinWait();
      }
      long cents = node.whereis(LEDGER).orElseThrow().<Long>call(Ledger.Msg.Total::new, SOON);
      System.out.println(cents + " cents, and the tellers were restarted");
    }
  }
}
