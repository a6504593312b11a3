package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import io.selvage.peers.Arrivals;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;

/** Actors that each wait for a message; a first bit of code tells that an actor is up. */
final class Spawn implements Programs.Crowd {
  private enum Msg {
    STOP
  }

  private final Actor<Msg, Void, Void>[] actors;
  private final Arrivals arrivals;
  private final Tally ended = new Tally();

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of actors cannot be made otherwise
  private Spawn(int processes, Arrivals arrivals) {
    this.actors = new Actor[processes];
    this.arrivals = arrivals;
  }

  static Programs.Crowd open(int processes, String kind, Arrivals arrivals) {
    return new Spawn(processes, arrivals);
  }

  @Override
  public void create() {
    for (int i = 0; i < actors.length; i++) {
      actors[i] =
          Actors.start((stop, self) -> {
            self.askExit();
            ended.increment();
          });
      actors[i].execAsync((Runnable) arrivals::arrive);
    }
    arrivals.await(actors.length);
  }

  @Override
  public long end() {
    for (int i = 0; i < actors.length; i++) {
      actors[i].sendMessage(Msg.STOP);
    }
    for (int i = 0; i < actors.length; i++) {
      actors[i].waitForExit();
      actors[i] = null;
    }
    return ended.await(actors.length);
  }
}
