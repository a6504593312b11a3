package io.selvage.examples;

import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.Node;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Requests;
import io.selvage.kernel.Self;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What the guide says of calls: many at once, stages, and aliases. */
public final class AskingMany {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private AskingMany() {}

  sealed interface Account {
    record Balance(ReplyTo<Long> replyTo) implements Account {}
  }

  sealed interface Sum {
    record Of(List<Pid<Account>> accounts, ReplyTo<String> replyTo) implements Sum {}

    record Got(Outcome<Long> outcome) implements Sum {}
  }

  static final class Adding implements Behavior<Sum> {
    private final ReplyTo<String> replyTo;
    private int open;
    private long cents;
    private int gone;

    Adding(int open, ReplyTo<String> replyTo) {
      this.open = open;
      this.replyTo = replyTo;
    }

    static Behavior<Sum> start(Self<Sum> self, Sum message) {
      if (!(message instanceof Sum.Of(var accounts, var replyTo))) {
        return Behavior.same();
      }
      for (Pid<Account> account : accounts) {
        self.request(account, Account.Balance::new, SECOND, Sum.Got::new);
      }
      return new Adding(accounts.size(), replyTo);
    }

    @Override
    public Behavior<Sum> onMessage(Self<Sum> self, Sum message) {
      if (message instanceof Sum.Got(var outcome)) {
        switch (outcome) {
          case Outcome.Replied<Long>(var balance) -> cents += balance;
          case Outcome.Failed<Long> _, Outcome.TimedOut<Long> _ -> gone++;
        }
        if (--open == 0) {
          replyTo.send(cents + " cents, " + gone + " missing");
          return Behavior.stop();
        }
      }
      return this;
    }
  }

  static Pid<Account> account(Node node, long cents) {
    return node.spawn((_, message) -> {
      switch (message) {
        case Account.Balance(var replyTo) -> replyTo.send(cents);
      }
      return Behavior.same();
    });
  }

  static Pid<ReplyTo<Long>> richest(Node node, List<Pid<Account>> accounts) {
    Pid<ReplyTo<Long>> pid =
        node.spawn(self -> {
          ReplyTo<Long> replyTo = self.receive();
          long most = 0;
          try (Requests<Pid<Account>, Long> requests = self.requests()) {
            for (Pid<Account> account : accounts) {
              requests.add(account, account, Account.Balance::new, SECOND);
            }
            while (requests.size() > 0) {
              if (requests.next().outcome() instanceof Outcome.Replied<Long>(var cents)) {
                most = Math.max(most, cents);
              }
            }
          }
          replyTo.send(most);
        });
    return pid;
  }

  sealed interface Waiting {
    record Line(String text) implements Waiting {}

    record Urgent(String text) implements Waiting {}

    record Answer(String text) implements Waiting {}

    record Gone(Down down) implements Waiting {}
  }

  static Pid<Waiting> waiting(Node node, Pid<Alias<String>> oracle, ReplyTo<String> heard) {
    Pid<Waiting> pid =
        node.spawn(self -> {
          var reply = AliasOptions.defaults().withMode(AliasOptions.Mode.REPLY_DEMONITOR);
          var asked =
              self.<String>monitorWithAlias(oracle, Waiting.Gone::new, reply, Waiting.Answer::new);
          oracle.send(asked.alias());
          Alias<String> urgent =
              self.alias(AliasOptions.defaults().withPriority(), Waiting.Urgent::new);
          self.pid().send(new Waiting.Line("a line"));
          urgent.sendPriority("urgent");
          StringBuilder all = new StringBuilder();
          for (int i = 0; i < 3; i++) {
            switch (self.receive()) {
              case Waiting.Answer(var text) -> self.pid().send(new Waiting.Line(text));
              case Waiting.Gone(var down) -> self.pid().send(new Waiting.Line("" + down.reason()));
              case Waiting.Urgent(var text) -> all.append(text).append(", ");
              case Waiting.Line(var text) -> all.append(text).append(", ");
            }
          }
          heard.send(all.toString().startsWith("urgent") ? "urgent first" : all.toString());
        });
    return pid;
  }

  /**
   * Prints what came of it.
   *
   * @param args none
   */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      List<Pid<Account>> accounts = List.of(account(node, 100), account(node, 20));
      Pid<Sum> sum = node.spawn(Adding::start);
      System.out.println(sum.<String>call(r -> new Sum.Of(accounts, r), SECOND));
      System.out.println(richest(node, accounts).<Long>call(r -> r, SECOND));
      CompletionStage<String> text =
          accounts.getFirst().callAsync(Account.Balance::new, SECOND).thenApply(c -> c + " cents");
      System.out.println(text.toCompletableFuture().join());
      Pid<Alias<String>> oracle =
          node.spawn((_, alias) -> {
            alias.send("42");
            return Behavior.same();
          });
      Pid<ReplyTo<String>> starter =
          node.spawn((_, heard) -> {
            waiting(node, oracle, heard);
            return Behavior.same();
          });
      System.out.println(starter.<String>call(r -> r, SECOND));
    }
  }
}
