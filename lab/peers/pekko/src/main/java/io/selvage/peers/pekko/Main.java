package io.selvage.peers.pekko;

import io.selvage.peers.Lab;
import io.selvage.peers.Savina;

/** The programs of Apache Pekko's typed actors. */
public final class Main {
  private static final String NAME = "Pekko";

  private Main() {}

  /**
   * Runs one of them.
   *
   * @param args the experiment, then its parameters
   */
  public static void main(String[] args) {
    Lab.startup(args, Main.class, NAME, new Startup());
    Lab lab =
        new Lab(Main.class, NAME, Guardian::start)
            .spawn(Spawn::open, "monitored")
            .tasks(Tasks::start)
            .ring(Ring::run)
            .pipeline(Pipeline::run)
            .pingpong(PingPong::run)
            .fanin(FanIn::open)
            .overload(Overload::start)
            .skynet(Skynet::sum);
    new Savina(lab)
        .counting(Counting::run)
        .forkJoinCreate(ForkJoinCreate::run)
        .forkJoinThroughput(ForkJoinThroughput::run)
        .big(Big::run)
        .chameneos(Chameneos::run)
        .boundedBuffer(BoundedBuffer::run)
        .banking(Banking::run)
        .sieve(Sieve::run)
        .fib(Fib::run);
    lab.main(args);
  }
}
