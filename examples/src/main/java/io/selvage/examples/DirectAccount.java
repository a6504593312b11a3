package io.selvage.examples;

import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import java.time.Duration;

/** The account of the README: a direct process. */
public final class DirectAccount {
  private DirectAccount() {}

  sealed interface Msg {
    record Deposit(long cents) implements Msg {}

    record Balance(ReplyTo<Long> replyTo) implements Msg {}
  }

  /**
   * Prints 100.
   *
   * @param args none
   */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Pid<Msg> account =
          node.spawn(self -> {
            long cents = 0;
            while (true) {
              switch (self.receive()) {
                case Msg.Deposit(long c) -> cents += c;
                case Msg.Balance(var replyTo) -> replyTo.send(cents);
              }
            }
          });
      account.send(new Msg.Deposit(100));
      System.out.println(account.call(Msg.Balance::new, Duration.ofSeconds(1)));
    }
  }
}
