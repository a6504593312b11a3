package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.ActorSystem;
import eu.lucaventuri.fibry.CreationStrategy;
import eu.lucaventuri.fibry.PartialActor;
import java.util.function.BiConsumer;

/** Makes actors that each have a virtual thread of their own. */
final class Actors {
  private Actors() {}

  /**
   * Starts an actor.
   *
   * @param handler gets each message, and the actor itself, which can be asked to exit
   */
  static <T> Actor<T, Void, Void> start(BiConsumer<T, PartialActor<T, Void>> handler) {
    return ActorSystem.anonymous().strategy(CreationStrategy.FIBER).newActor(handler);
  }
}
