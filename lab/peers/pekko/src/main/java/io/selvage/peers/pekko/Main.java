package io.selvage.peers.pekko;

import io.selvage.peers.Lab;

/** The programs of Apache Pekko's typed actors. */
public final class Main {
  private Main() {}

  /**
   * Runs one of them.
   *
   * @param args the experiment, then its parameters
   */
  public static void main(String[] args) {
    new Lab(Main.class, "Pekko", Guardian::start)
        .spawn(Spawn::open, "monitored")
        .tasks(Tasks::start)
        .ring(Ring::run)
        .pipeline(Pipeline::run)
        .pingpong(PingPong::run)
        .fanin(FanIn::open)
        .skynet(Skynet::sum)
        .main(args);
  }
}
