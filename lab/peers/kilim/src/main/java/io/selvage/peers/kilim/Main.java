package io.selvage.peers.kilim;

import io.selvage.peers.Lab;
import kilim.ForkJoinScheduler;
import kilim.Scheduler;

/** The programs of Kilim: tasks that its weaver has made pausable, and mailboxes. */
public final class Main {
  private static final String NAME = "Kilim";

  private Main() {}

  /** The runtime kilim-forkjoin has another scheduler than Kilim takes by itself. */
  static void chooseScheduler() {
    if (System.getProperty("peer.runtime", "kilim").equals("kilim-forkjoin")) {
      Scheduler.setDefaultScheduler(
          new ForkJoinScheduler(Runtime.getRuntime().availableProcessors()));
    }
  }

  /**
   * Runs one of them.
   *
   * @param args the experiment, then its parameters
   */
  public static void main(String[] args) {
    Lab.startup(args, Main.class, NAME, new Startup());
    new Lab(Main.class, NAME, Main::chooseScheduler)
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
