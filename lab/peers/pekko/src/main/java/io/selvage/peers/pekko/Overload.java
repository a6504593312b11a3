package io.selvage.peers.pekko;

import io.selvage.peers.Load;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Actors that send to one: without waiting for anything, or with an acknowledgement of every
 * hundredth message, as Pekko's interaction patterns show it.
 */
final class Overload {
  private enum Proceed {
    PROCEED
  }

  /** A message; whoever waits for it to be taken is told so. */
  private record Number(long value, ActorRef<Proceed> acknowledge) {}

  private static final boolean ACKNOWLEDGING =
      System.getProperty("peer.runtime", "pekko").equals("pekko-ack");

  private Overload() {}

  private static Behavior<Number> consumer(Load load, ActorRef<Proceed> nobody) {
    return Behaviors.receiveMessage(number -> {
      load.take();
      if (!number.acknowledge().equals(nobody)) {
        number.acknowledge().tell(Proceed.PROCEED);
      }
      return Behaviors.same();
    });
  }

  private static Behavior<Proceed> producer(
      Load load, int number, ActorRef<Number> consumer, ActorRef<Proceed> nobody) {
    return Behaviors.setup(context -> {
      ActorRef<Proceed> self = context.getSelf();
      return Behaviors.receiveMessage(proceed -> {
        for (int i = 1; i <= Load.AT_ONCE; i++) {
          long next = load.next(number);
          if (next < 0) {
            load.ended();
            return Behaviors.stopped();
          }
          boolean last = ACKNOWLEDGING && i == Load.AT_ONCE;
          consumer.tell(new Number(next, last ? self : nobody));
        }
        if (!ACKNOWLEDGING) {
          self.tell(proceed);
        }
        return Behaviors.same();
      });
    });
  }

  private static Behavior<Void> parent(ActorContext<Void> context, Load load, int producers) {
    ActorRef<Proceed> nobody = context.getSystem().ignoreRef();
    ActorRef<Number> consumer = context.spawn(consumer(load, nobody), "consumer");
    for (int i = 0; i < producers; i++) {
      context.spawnAnonymous(producer(load, i, consumer, nobody)).tell(Proceed.PROCEED);
    }
    return Behaviors.empty();
  }

  static void start(Load load, int producers) {
    Guardian.spawn(Behaviors.<Void>setup(context -> parent(context, load, producers)));
  }
}
