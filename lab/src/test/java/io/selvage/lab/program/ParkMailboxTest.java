package io.selvage.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParkMailboxTest {
  private static final int SENDERS = 4;
  private static final int EACH = 50_000;

  private record Msg(int sender, int number) {}

  @Test
  void messages_ofManySenders_allArriveInTheOrderOfEach() throws InterruptedException {
    ParkMailbox<Msg> mailbox = new ParkMailbox<>();
    int[] next = new int[SENDERS];
    List<Thread> threads = new ArrayList<>();
    Thread receiver =
        Thread.startVirtualThread(() -> {
          for (int i = 0; i < SENDERS * EACH; i++) {
            Msg message = mailbox.receive();
            assertThat(message.number()).isEqualTo(next[message.sender()]++);
          }
        });
    for (int sender = 0; sender < SENDERS; sender++) {
      int me = sender;
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < EACH; i++) {
              mailbox.send(new Msg(me, i));
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    receiver.join();
    assertThat(next).containsOnly(EACH);
  }

  @Test
  void receiver_thatParksForEachMessage_losesNoWakeUp() throws InterruptedException {
    ParkMailbox<Integer> there = new ParkMailbox<>();
    ParkMailbox<Integer> back = new ParkMailbox<>();
    Thread echo =
        Thread.startVirtualThread(() -> {
          for (int i = 0; i < EACH; i++) {
            back.send(there.receive());
          }
        });
    for (int i = 0; i < EACH; i++) {
      there.send(i);
      assertThat(back.receive()).isEqualTo(i);
    }
    echo.join();
  }
}
