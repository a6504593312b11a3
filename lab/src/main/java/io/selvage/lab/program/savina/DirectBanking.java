package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.lab.program.Report;
import java.util.List;
import java.util.stream.IntStream;

/** Accounts and a teller that are direct processes. An account that pays calls the other one. */
public final class DirectBanking {
  private sealed interface Msg {
    /** The teller's order to pay. */
    record Pay(long cents, Pid<Msg> to, Pid<Teller> teller) implements Msg {}

    record Deposit(long cents, ReplyTo<Boolean> done) implements Msg {}

    record Close(Pid<Teller> teller) implements Msg {}
  }

  private sealed interface Teller {
    record Start(ReplyTo<Transfers.Ledger> replyTo) implements Teller {}

    record Paid() implements Teller {}

    record Closed(long cents) implements Teller {}
  }

  private static final Teller PAID = new Teller.Paid();

  private DirectBanking() {}

  private static void account(DirectSelf<Msg> self) {
    long cents = Transfers.FIRST_BALANCE;
    while (true) {
      switch (self.receive()) {
        case Msg.Pay(var amount, var to, var teller) -> {
          cents -= amount;
          to.<Boolean>call(done -> new Msg.Deposit(amount, done), Measurement.LONG);
          teller.send(PAID);
        }
        case Msg.Deposit(var amount, var done) -> {
          cents += amount;
          done.send(true);
        }
        case Msg.Close(var teller) -> {
          teller.send(new Teller.Closed(cents));
          return;
        }
      }
    }
  }

  private static Body<Teller> teller(int accounts, int transactions) {
    return self -> {
      Teller.Start start = self.receive(Teller.Start.class);
      Body<Msg> account = DirectBanking::account;
      List<Pid<Msg>> all = IntStream.range(0, accounts).mapToObj(_ -> self.spawn(account)).toList();
      Transfers transfers = new Transfers(accounts);
      for (int i = 0; i < transactions; i++) {
        Transfers.Transfer next = transfers.next();
        all.get(next.from()).send(new Msg.Pay(next.cents(), all.get(next.to()), self.pid()));
      }
      int paid = 0;
      while (paid < transactions) {
        self.receive(Teller.Paid.class);
        paid++;
      }
      Msg close = new Msg.Close(self.pid());
      all.forEach(each -> each.send(close));
      long cents = 0;
      for (int i = 0; i < accounts; i++) {
        cents += self.receive(Teller.Closed.class).cents();
      }
      start.replyTo().send(new Transfers.Ledger(paid, cents));
    };
  }

  private static long run(Node node, int accounts, int transactions) {
    Pid<Teller> teller = node.spawn(teller(accounts, transactions));
    return teller
        .<Transfers.Ledger>call(Teller.Start::new, Measurement.LONG)
        .transactions(accounts);
  }

  /**
   * Runs the program.
   *
   * @param args {@code accounts=…}, {@code transactions=…}, {@code workers=true} to run on the
   *     node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int accounts = arguments.count("accounts");
          int transactions = arguments.count("transactions");
          return Measurement.onNode(
              arguments, "transactions", transactions, node -> run(node, accounts, transactions));
        });
  }
}
