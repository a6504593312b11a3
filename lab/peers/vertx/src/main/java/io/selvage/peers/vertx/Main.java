package io.selvage.peers.vertx;

import io.selvage.peers.Lab;

/** The programs of Vert.x: verticles that talk over the event bus. */
public final class Main {
  private Main() {}

  /**
   * Runs one of them.
   *
   * @param args the experiment, then its parameters
   */
  public static void main(String[] args) {
    new Lab(Main.class, "Vert.x", Bus::start)
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
