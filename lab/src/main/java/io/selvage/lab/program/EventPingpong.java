package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import java.util.concurrent.CompletableFuture;

/** Pingpong of event processes. */
public final class EventPingpong {
  private sealed interface Msg {
    /** To be sent back. */
    record Ping(Pid<Long> from, long number) implements Msg {}

    /** The game is over. */
    record Stop() implements Msg {}
  }

  private final int rounds;
  private final CompletableFuture<Long> pings = new CompletableFuture<>();
  private final CompletableFuture<Long> pongs = new CompletableFuture<>();

  private EventPingpong(int rounds) {
    this.rounds = rounds;
  }

  /** Sends the next ping for each pong. A wrong number ends the game too early. */
  private final class Pinger implements Behavior<Long> {
    private final Pid<Msg> ponger;
    private long count;

    Pinger(Pid<Msg> ponger) {
      this.ponger = ponger;
    }

    @Override
    public Behavior<Long> onMessage(Self<Long> self, Long pong) {
      if (pong == count) {
        count++;
        if (count < rounds) {
          ponger.send(new Msg.Ping(self.pid(), count));
          return this;
        }
      }
      pongs.complete(count);
      return Behavior.stop();
    }
  }

  private final class Ponger implements Behavior<Msg> {
    private long count;

    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      return switch (message) {
        case Msg.Ping(Pid<Long> from, long number) -> {
          from.send(number);
          count++;
          yield this;
        }
        case Msg.Stop stop -> {
          pings.complete(count);
          yield Behavior.stop();
        }
      };
    }
  }

  private static PingpongMeasurement.Game play(Node node, int rounds) {
    EventPingpong game = new EventPingpong(rounds);
    Pid<Msg> ponger = node.spawn(game.new Ponger());
    Pid<Long> pinger = node.spawn(game.new Pinger(ponger));

    long start = System.nanoTime();
    ponger.send(new Msg.Ping(pinger, 0));
    long pongs = game.pongs.join();
    long nanos = System.nanoTime() - start;

    ponger.send(new Msg.Stop());
    return new PingpongMeasurement.Game(nanos, game.pings.join(), pongs);
  }

  /**
   * Runs the program.
   *
   * @param args {@code rounds=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(false)) {
            return PingpongMeasurement.measure(arguments, rounds -> play(node, rounds));
          }
        });
  }
}
