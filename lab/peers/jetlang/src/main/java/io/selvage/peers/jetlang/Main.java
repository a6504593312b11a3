package io.selvage.peers.jetlang;

import io.selvage.peers.Lab;

/** The programs of Jetlang: fibers that share a pool of threads, and channels. */
public final class Main {
  private static final String NAME = "Jetlang";

  private Main() {}

  /**
   * Runs one of them.
   *
   * @param args the experiment, then its parameters
   */
  public static void main(String[] args) {
    Lab.startup(args, Main.class, NAME, new Startup());
    new Lab(Main.class, NAME, Fibers::start)
        .spawn(Spawn::open)
        .tasks(Tasks::start)
        .ring(Ring::run)
        .pipeline(Pipeline::run)
        .pingpong(PingPong::run)
        .fanin(FanIn::open)
        .overload(Overload::start)
        .skynet(Skynet::sum)
        .main(args);
  }
}
