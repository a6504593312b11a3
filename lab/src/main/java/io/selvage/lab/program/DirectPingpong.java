package io.selvage.lab.program;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import java.util.concurrent.CompletableFuture;

/** Pingpong of direct processes. */
public final class DirectPingpong {
  private sealed interface Msg {
    /** To be sent back. */
    record Ping(Pid<Long> from, long number) implements Msg {}

    /** The game is over. */
    record Stop() implements Msg {}
  }

  private final int rounds;
  private final CompletableFuture<Long> pings = new CompletableFuture<>();
  private final CompletableFuture<Long> pongs = new CompletableFuture<>();

  private DirectPingpong(int rounds) {
    this.rounds = rounds;
  }

  /** A wrong number ends the game too early. */
  private void ping(DirectSelf<Long> self, Pid<Msg> ponger) {
    long count = 0;
    boolean right = true;
    while (right && count < rounds) {
      ponger.send(new Msg.Ping(self.pid(), count));
      right = self.receive() == count;
      count += right ? 1 : 0;
    }
    pongs.complete(count);
  }

  private void pong(DirectSelf<Msg> self) {
    long count = 0;
    while (self.receive() instanceof Msg.Ping(Pid<Long> from, long number)) {
      from.send(number);
      count++;
    }
    pings.complete(count);
  }

  private static PingpongMeasurement.Game play(Node node, int rounds) {
    DirectPingpong game = new DirectPingpong(rounds);
    Pid<Msg> ponger = node.spawn(game::pong);

    long start = System.nanoTime();
    node.<Long>spawn(self -> game.ping(self, ponger));
    long pongs = game.pongs.join();
    long nanos = System.nanoTime() - start;

    ponger.send(new Msg.Stop());
    return new PingpongMeasurement.Game(nanos, game.pings.join(), pongs);
  }

  /**
   * Runs the program.
   *
   * @param args {@code rounds=…}, {@code workers=true} to run on the node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(arguments.flag("workers"))) {
            return PingpongMeasurement.measure(arguments, rounds -> play(node, rounds));
          }
        });
  }
}
