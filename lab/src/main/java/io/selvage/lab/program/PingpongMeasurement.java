package io.selvage.lab.program;

/** Holds the watch for the pingpong programs. */
final class PingpongMeasurement {
  private PingpongMeasurement() {}

  /**
   * What one game did.
   *
   * @param nanos from the first ping until the last pong was back
   * @param pings how many arrived, as the one who answers counted them
   * @param pongs how many came back with the number of their ping
   */
  record Game(long nanos, long pings, long pongs) {}

  /** Plays some rounds. */
  @FunctionalInterface
  interface PingpongProgram {
    Game play(int rounds) throws Exception;
  }

  static Report measure(Arguments arguments, PingpongProgram program) throws Exception {
    int rounds = arguments.count("rounds");
    Repeats repeats =
        Repeats.of(() -> {
          Game game = program.play(rounds);
          Repeats.ensure("pongs", game.pongs, rounds);
          Repeats.ensure("pings", game.pings, rounds);
          return game.nanos;
        });
    return new Report()
        .with("ns_per_round", (double) repeats.medianNanos() / rounds)
        .with("ns_per_round_cold", (double) repeats.coldNanos() / rounds)
        .with("messages", 2L * rounds)
        .withPeakMemory();
  }
}
