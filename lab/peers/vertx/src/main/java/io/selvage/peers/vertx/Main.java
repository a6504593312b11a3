package io.selvage.peers.vertx;

import io.selvage.peers.Lab;

/** The programs of Vert.x: verticles that talk over the event bus. */
public final class Main {
  private static final String NAME = "Vert.x";

  private Main() {}

  /**
   * Runs one of them.
   *
   * @param args the experiment, then its parameters
   */
  public static void main(String[] args) {
    Lab.startup(args, Main.class, NAME, new Startup());
    new Lab(Main.class, NAME, Bus::start)
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
