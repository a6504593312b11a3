package io.selvage.examples;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import java.time.Duration;
import java.util.List;

/** The accounts of the guide: the same process twice, direct and event, watching an auditor. */
public final class AuditedAccounts {
  private AuditedAccounts() {}

  sealed interface Msg {
    record Deposit(long cents) implements Msg {}

    record Balance(ReplyTo<Long> replyTo) implements Msg {}

    record AuditorDown(Down down) implements Msg {}
  }

  record Account(long cents) implements Behavior<Msg> {
    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      return switch (message) {
        case Msg.Deposit(long c) -> new Account(cents + c);
        case Msg.Balance(var replyTo) -> {
          replyTo.send(cents);
          yield this;
        }
        case Msg.AuditorDown _ -> Behavior.stop();
      };
    }
  }

  static Pid<Msg> direct(Node node, Pid<?> auditor) {
    Pid<Msg> account =
        node.spawn(self -> {
          self.monitor(auditor, Msg.AuditorDown::new);
          long cents = 0;
          while (true) {
            switch (self.receive()) {
              case Msg.Deposit(long c) -> cents += c;
              case Msg.Balance(var replyTo) -> replyTo.send(cents);
              case Msg.AuditorDown _ -> {
                return;
              }
            }
          }
        });
    return account;
  }

  static Pid<Msg> event(Node node, Pid<?> auditor) {
    Pid<Msg> account =
        node.spawn(
            Behavior.setup(self -> {
              self.monitor(auditor, Msg.AuditorDown::new);
              return new Account(0);
            }));
    return account;
  }

  /**
   * Prints what is in both accounts.
   *
   * @param args none
   */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Pid<Object> auditor = node.spawn((_, _) -> Behavior.same());
      for (Pid<Msg> account : List.of(direct(node, auditor), event(node, auditor))) {
        account.send(new Msg.Deposit(100));
        account.send(new Msg.Deposit(20));
        System.out.println(account.call(Msg.Balance::new, Duration.ofSeconds(1)));
      }
      auditor.exit(ExitReason.shutdown());
    }
  }
}
