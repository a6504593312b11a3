package io.selvage.examples;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Of the guide: one timer that repeats, and one that is told from its predecessor. */
public final class Clockwork {
  private Clockwork() {}

  sealed interface Msg {
    record Beat() implements Msg {}

    record TimedOut(Timer timer) implements Msg {}
  }

  static int beats(DirectSelf<Msg> self) {
    Timer beat = self.sendEvery(Duration.ofMillis(1), new Msg.Beat());
    Timer early = self.startTimer(Duration.ZERO, Msg.TimedOut::new);
    early.cancel(); // too late: its message is in the mailbox
    Timer limit = self.startTimer(Duration.ofMillis(50), Msg.TimedOut::new);
    int beats = 0;
    while (true) {
      switch (self.receive()) {
        case Msg.Beat _ -> beats++;
        case Msg.TimedOut(Timer timer) -> {
          if (timer == limit) {
            beat.cancel();
            return beats;
          }
        }
      }
    }
  }

  /**
   * Prints that it has beaten.
   *
   * @param args none
   */
  public static void main(String[] args) {
    CompletableFuture<Integer> beats = new CompletableFuture<>();
    try (Node node = Node.start()) {
      Pid<Msg> _ = node.spawn(self -> beats.complete(beats(self)));
      System.out.println(beats.join() > 0 ? "it beats" : "it stands still");
    }
  }
}
