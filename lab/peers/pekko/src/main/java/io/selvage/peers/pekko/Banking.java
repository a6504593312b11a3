package io.selvage.peers.pekko;

import io.selvage.peers.Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;

/**
 * A teller has accounts transfer money; an account stashes everything else while it waits for the
 * other's reply.
 */
final class Banking {
  private static final long OPENING_BALANCE = 1_000_000;
  private static final int MOST_MONEY = 1000;

  /** What an account hears. */
  private sealed interface Command {
    record Transfer(int amount, ActorRef<Command> to, ActorRef<Receipt> replyTo)
        implements Command {}

    record Credit(int amount, ActorRef<Command> replyTo) implements Command {}

    enum Credited implements Command {
      CREDITED
    }

    record Close(ActorRef<Receipt> replyTo) implements Command {}
  }

  /** What the teller hears. */
  private sealed interface Receipt {
    enum Transferred implements Receipt {
      TRANSFERRED
    }

    record Closed(long balance, long debits, long credits) implements Receipt {}
  }

  private final int accounts;
  private final int transactions;
  private final CompletableFuture<Long> result;
  private final List<ActorRef<Command>> all = new ArrayList<>();
  private int transferred;
  private int closed;
  private long money;
  private long debits;
  private long credits;

  private Banking(int accounts, int transactions, CompletableFuture<Long> result) {
    this.accounts = accounts;
    this.transactions = transactions;
    this.result = result;
  }

  private static final class Account {
    private final ActorRef<Command> self;
    private final StashBuffer<Command> stash;
    private final Behavior<Command> open = Behaviors.receiveMessage(this::onCommand);
    private long balance = OPENING_BALANCE;
    private long debits;
    private long credits;

    Account(ActorRef<Command> self, StashBuffer<Command> stash) {
      this.self = self;
      this.stash = stash;
    }

    private Behavior<Command> onCommand(Command command) {
      switch (command) {
        case Command.Transfer(int amount, ActorRef<Command> to, ActorRef<Receipt> replyTo) -> {
          balance -= amount;
          debits++;
          to.tell(new Command.Credit(amount, self));
          return awaitingReply(replyTo);
        }
        case Command.Credit(int amount, ActorRef<Command> replyTo) -> {
          balance += amount;
          credits++;
          replyTo.tell(Command.Credited.CREDITED);
          return Behaviors.same();
        }
        case Command.Close(ActorRef<Receipt> replyTo) -> {
          replyTo.tell(new Receipt.Closed(balance, debits, credits));
          return Behaviors.stopped();
        }
        case Command.Credited.CREDITED -> {
          return Behaviors.unhandled();
        }
      }
    }

    private Behavior<Command> awaitingReply(ActorRef<Receipt> teller) {
      return Behaviors.receiveMessage(command -> {
        if (command == Command.Credited.CREDITED) {
          teller.tell(Receipt.Transferred.TRANSFERRED);
          return stash.unstashAll(open);
        }
        stash.stash(command);
        return Behaviors.same();
      });
    }
  }

  /** All that may ever come at once: the transfers, a credit from each of the others, the close. */
  private Behavior<Command> account() {
    return Behaviors.setup(context ->
        Behaviors.withStash(
            transactions + accounts, stash -> new Account(context.getSelf(), stash).open));
  }

  /**
   * Money goes to an account with a higher number, as in Savina, so that no two accounts ever wait
   * for each other.
   */
  private Behavior<Receipt> teller(ActorContext<Receipt> context) {
    for (int i = 0; i < accounts; i++) {
      all.add(context.spawnAnonymous(account()));
    }
    Generator generator = new Generator(1);
    for (int i = 0; i < transactions; i++) {
      int from = generator.below(Math.max(1, accounts * 8 / 10));
      int to = from + 1 + generator.below(accounts - from - 1);
      int amount = generator.below(MOST_MONEY);
      all.get(from).tell(new Command.Transfer(amount, all.get(to), context.getSelf()));
    }
    return Behaviors.receiveMessage(receipt -> onReceipt(receipt, context.getSelf()));
  }

  private Behavior<Receipt> onReceipt(Receipt receipt, ActorRef<Receipt> self) {
    switch (receipt) {
      case Receipt.Transferred.TRANSFERRED -> {
        transferred++;
        if (transferred == transactions) {
          Command.Close close = new Command.Close(self);
          all.forEach(account -> account.tell(close));
        }
      }
      case Receipt.Closed of -> {
        money += of.balance();
        debits += of.debits();
        credits += of.credits();
        closed++;
        if (closed == accounts) {
          boolean right = money == accounts * OPENING_BALANCE && debits == credits;
          return Behaviors.stopped(() -> result.complete(right ? debits : -1));
        }
      }
    }
    return Behaviors.same();
  }

  static long run(int accounts, int transactions) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(
        result -> Behaviors.setup(new Banking(accounts, transactions, result)::teller));
  }
}
