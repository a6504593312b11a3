package io.selvage.lab.program;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Pingpong of plain Java threads, virtual or platform. */
public final class ThreadPingpong {
  private static final Long STOP = -1L;

  private final Mailbox<Long> toPonger;
  private final Mailbox<Long> toPinger;
  private final CompletableFuture<Long> pings = new CompletableFuture<>();
  private final CompletableFuture<Long> pongs = new CompletableFuture<>();

  private ThreadPingpong(Supplier<Mailbox<Long>> mailboxes) {
    toPonger = mailboxes.get();
    toPinger = mailboxes.get();
  }

  /** A wrong number ends the game too early. */
  private void ping(int rounds) {
    long count = 0;
    boolean right = true;
    while (right && count < rounds) {
      toPonger.send(count);
      right = toPinger.receive() == count;
      count += right ? 1 : 0;
    }
    pongs.complete(count);
  }

  private void pong() {
    long count = 0;
    for (Long number = toPonger.receive(); !number.equals(STOP); number = toPonger.receive()) {
      toPinger.send(number);
      count++;
    }
    pings.complete(count);
  }

  private static PingpongMeasurement.Game play(
      Thread.Builder threads, Supplier<Mailbox<Long>> mailboxes, int rounds) {
    ThreadPingpong game = new ThreadPingpong(mailboxes);
    threads.start(game::pong);

    long start = System.nanoTime();
    threads.start(() -> game.ping(rounds));
    long pongs = game.pongs.join();
    long nanos = System.nanoTime() - start;

    game.toPonger.send(STOP);
    return new PingpongMeasurement.Game(nanos, game.pings.join(), pongs);
  }

  /**
   * Runs the program.
   *
   * @param args {@code rounds=…}, {@code threads=virtual} or {@code threads=platform}, {@code
   *     mailbox=queue} or {@code mailbox=park}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Thread.Builder threads = Threads.builder(arguments);
          Supplier<Mailbox<Long>> mailboxes = Mailbox.kind(arguments);
          return PingpongMeasurement.measure(arguments, rounds -> play(threads, mailboxes, rounds));
        });
  }
}
