package io.selvage.peers.jox;

import io.selvage.peers.Lab;

/** The programs of Jox: channels between virtual threads. */
public final class Main {
  private static final String NAME = "Jox";

  private Main() {}

  /**
   * Runs one of them.
   *
   * @param args the experiment, then its parameters
   */
  public static void main(String[] args) {
    Lab.startup(args, Main.class, NAME, new Startup());
    new Lab(Main.class, NAME, () -> {})
        .spawn(Spawn::open)
        .tasks(Tasks::start)
        .ring(Ring::run)
        .pipeline(Pipeline::run)
        .pingpong(PingPong::run)
        .fanin(FanIn::open)
        .skynet(Skynet::sum)
        .main(args);
  }
}
