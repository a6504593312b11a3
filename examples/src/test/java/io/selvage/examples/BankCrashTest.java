package io.selvage.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.CallException;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.otp.DynamicSupervisor;
import io.selvage.otp.Sys;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bank, whose tellers are killed at any moment of a transfer. */
class BankCrashTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final int KILLS = 500;

  @Test
  void tellersKilledInTheMiddleOfTransfers_loseNoCent() {
    try (Node node = Node.start(NodeOptions.defaults().withEvents(_ -> {}))) {
      DynamicSupervisor tellers = Bank.open(node);
      Pid<Bank.Ledger.Msg> ledger = node.whereis(Name.<Bank.Ledger.Msg>of("ledger")).orElseThrow();
      Random random = new Random(2);
      for (int i = 0; i < 5; i++) {
        Bank.hire(tellers);
      }
      int inTheMiddle = 0;
      for (int kill = 0; kill < KILLS; kill++) {
        Pid<Bank.Teller.Order> teller = any(tellers, random);
        boolean ledgerWaits = kill % 10 == 0; // then the first order is certain not to be done
        if (ledgerWaits) {
          Sys.suspend(ledger, SOON);
        }
        for (int n = 0; n < 20; n++) {
          int from = random.nextInt(100);
          teller.send(
              new Bank.Teller.Order(from, 99 - from, Optional.of((long) random.nextInt(300))));
        }
        for (int spins = random.nextInt(20_000); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        inTheMiddle += node.info(teller).filter(info -> info.mailbox() > 0).isPresent() ? 1 : 0;
        teller.kill();
        if (ledgerWaits) {
          Sys.resume(ledger, SOON);
        }
        assertThat(ledger.<Long>call(Bank.Ledger.Msg.Total::new, SOON)).isEqualTo(100_000);
      }
      assertThat(inTheMiddle)
          .as("killed while orders were left")
          .isGreaterThanOrEqualTo(KILLS / 10);
      assertThat(ledger.isAlive()).isTrue();
      assertThat(ledger.<Long>call(Bank.Ledger.Msg.Total::new, SOON)).isEqualTo(100_000);
    }
  }

  /** A teller that runs, as soon as there is one. */
  @SuppressWarnings("unchecked") // all children are tellers
  private static Pid<Bank.Teller.Order> any(DynamicSupervisor tellers, Random random) {
    while (true) {
      List<Pid<?>> alive;
      try {
        alive =
            tellers.whichChildren().stream()
                .flatMap(teller -> teller.pid().stream())
                .filter(Pid::isAlive)
                .toList();
      } catch (CallException gaveUp) {
        throw new AssertionError("the bank allows 1000 restarts", gaveUp);
      }
      if (!alive.isEmpty()) {
        return (Pid<Bank.Teller.Order>) alive.get(random.nextInt(alive.size()));
      }
    }
  }
}
