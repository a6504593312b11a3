package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Report;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Accounts and a teller that are event processes. An account that waits for another one is in
 * another state, in which it stashes what comes.
 */
public final class EventBanking {
  private sealed interface Msg {
    /** The teller's order to pay. */
    record Pay(long cents, Pid<Msg> to, Pid<Teller> teller) implements Msg {}

    record Deposit(long cents, Pid<Msg> from) implements Msg {}

    record Deposited() implements Msg {}

    record Close(Pid<Teller> teller) implements Msg {}
  }

  private sealed interface Teller {
    record Start(ReplyTo<Transfers.Ledger> replyTo) implements Teller {}

    record Paid() implements Teller {}

    record Closed(long cents) implements Teller {}
  }

  private static final Msg DEPOSITED = new Msg.Deposited();
  private static final Teller PAID = new Teller.Paid();

  private EventBanking() {}

  /** An account that waits for nothing. What it stashed it takes back one by one, oldest first. */
  private record Open(long cents) implements Behavior<Msg> {
    /** Begins with a balance. */
    static Behavior<Msg> account(int stash) {
      return Behavior.setup(self -> {
        self.stashCapacity(stash);
        return new Open(Transfers.FIRST_BALANCE);
      });
    }

    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      return switch (message) {
        case Msg.Pay(var amount, var to, var teller) -> {
          to.send(new Msg.Deposit(amount, self.pid()));
          yield new Paying(cents - amount, teller);
        }
        case Msg.Deposit(var amount, var from) -> {
          from.send(DEPOSITED);
          self.unstash(1);
          yield new Open(cents + amount);
        }
        case Msg.Close(var teller) -> {
          teller.send(new Teller.Closed(cents));
          yield Behavior.stop();
        }
        case Msg.Deposited _ ->
            throw new IllegalStateException("this account has not paid anything");
      };
    }
  }

  /** An account that has paid, and waits until the money has arrived. */
  private record Paying(long cents, Pid<Teller> teller) implements Behavior<Msg> {
    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      return switch (message) {
        case Msg.Deposited _ -> {
          teller.send(PAID);
          self.unstash(1);
          yield new Open(cents);
        }
        case Msg.Pay _, Msg.Deposit _, Msg.Close _ -> {
          self.stash(message);
          yield this;
        }
      };
    }
  }

  /** Gives all orders at once. */
  private record Opening(int accounts, int transactions) implements Behavior<Teller> {
    @Override
    public Behavior<Teller> onMessage(Self<Teller> self, Teller message) {
      if (!(message instanceof Teller.Start(var replyTo))) {
        throw new IllegalStateException("nothing has been paid, but there is " + message);
      }
      // At worst one account pays or is paid in every transaction while it waits, and is closed.
      Behavior<Msg> account = Open.account(Math.addExact(transactions, 1));
      List<Pid<Msg>> all = IntStream.range(0, accounts).mapToObj(_ -> self.spawn(account)).toList();
      Transfers transfers = new Transfers(accounts);
      for (int i = 0; i < transactions; i++) {
        Transfers.Transfer next = transfers.next();
        all.get(next.from()).send(new Msg.Pay(next.cents(), all.get(next.to()), self.pid()));
      }
      return new Counting(all, transactions, replyTo);
    }
  }

  /** Waits until all has been paid, then for the last balances. */
  private static final class Counting implements Behavior<Teller> {
    private final List<Pid<Msg>> accounts;
    private final int transactions;
    private final ReplyTo<Transfers.Ledger> replyTo;
    private int paid;
    private int closed;
    private long cents;

    Counting(List<Pid<Msg>> accounts, int transactions, ReplyTo<Transfers.Ledger> replyTo) {
      this.accounts = accounts;
      this.transactions = transactions;
      this.replyTo = replyTo;
    }

    @Override
    public Behavior<Teller> onMessage(Self<Teller> self, Teller message) {
      switch (message) {
        case Teller.Paid _ -> {
          paid++;
          if (paid == transactions) {
            Msg close = new Msg.Close(self.pid());
            accounts.forEach(account -> account.send(close));
          }
        }
        case Teller.Closed(var its) -> {
          closed++;
          cents += its;
          if (closed == accounts.size()) {
            replyTo.send(new Transfers.Ledger(paid, cents));
            return Behavior.stop();
          }
        }
        case Teller.Start _ -> throw new IllegalStateException("the teller has begun already");
      }
      return this;
    }
  }

  private static long run(Node node, int accounts, int transactions) {
    Pid<Teller> teller = node.spawn(new Opening(accounts, transactions));
    return teller
        .<Transfers.Ledger>call(Teller.Start::new, Measurement.LONG)
        .transactions(accounts);
  }

  /**
   * Runs the program.
   *
   * @param args {@code accounts=…}, {@code transactions=…}
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
