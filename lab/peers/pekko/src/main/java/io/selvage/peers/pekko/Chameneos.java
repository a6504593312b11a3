package io.selvage.peers.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Creatures of three colours meet in a mall, two at a time, and take the complement's colour. */
final class Chameneos {
  private enum Colour {
    BLUE,
    RED,
    YELLOW;

    private static final Colour[] ALL = values();

    /** Of two equal colours the same, of two others the third. */
    Colour complement(Colour other) {
      return this == other ? this : ALL[ALL.length - ordinal() - other.ordinal()];
    }
  }

  /** What the mall hears. */
  private sealed interface Visit {
    record Arrived(ActorRef<Msg> creature, Colour colour) implements Visit {}

    record Left(long meetings) implements Visit {}
  }

  /** What a creature hears. */
  private sealed interface Msg {
    record Meet(ActorRef<Msg> other, Colour colour) implements Msg {}

    record Change(Colour colour) implements Msg {}

    enum Stop implements Msg {
      STOP
    }
  }

  private final int meetings;
  private final int creatures;
  private final CompletableFuture<Long> result;
  private Visit.Arrived waiting;
  private int met;
  private int left;
  private long sum;

  private Chameneos(int meetings, int creatures, CompletableFuture<Long> result) {
    this.meetings = meetings;
    this.creatures = creatures;
    this.result = result;
  }

  private static final class Creature {
    private final ActorRef<Msg> self;
    private final ActorRef<Visit> mall;
    private Colour colour;
    private long meetings;

    Creature(ActorRef<Msg> self, ActorRef<Visit> mall, Colour colour) {
      this.self = self;
      this.mall = mall;
      this.colour = colour;
      arrive();
    }

    private void arrive() {
      mall.tell(new Visit.Arrived(self, colour));
    }

    /** Of two that meet, the one that came first finds the new colour and tells the other. */
    private Behavior<Msg> onMessage(Msg message) {
      switch (message) {
        case Msg.Meet(ActorRef<Msg> other, Colour ofOther) -> {
          colour = colour.complement(ofOther);
          other.tell(new Msg.Change(colour));
        }
        case Msg.Change(Colour complement) -> colour = complement;
        case Msg.Stop.STOP -> {
          mall.tell(new Visit.Left(meetings));
          return Behaviors.stopped();
        }
      }
      meetings++;
      arrive();
      return Behaviors.same();
    }
  }

  private Behavior<Visit> mall(ActorContext<Visit> context) {
    for (int i = 0; i < creatures; i++) {
      Colour colour = Colour.ALL[i % Colour.ALL.length];
      context.spawnAnonymous(
          Behaviors.<Msg>setup(creature ->
              Behaviors.receiveMessage(
                  new Creature(creature.getSelf(), context.getSelf(), colour)::onMessage)));
    }
    return Behaviors.receiveMessage(this::onVisit);
  }

  private Behavior<Visit> onVisit(Visit visit) {
    switch (visit) {
      case Visit.Arrived arrived -> onArrived(arrived);
      case Visit.Left(long count) -> {
        sum += count;
        left++;
        if (left == creatures) {
          return Behaviors.stopped(() -> result.complete(sum));
        }
      }
    }
    return Behaviors.same();
  }

  private void onArrived(Visit.Arrived arrived) {
    if (met == meetings) {
      arrived.creature().tell(Msg.Stop.STOP);
    } else if (waiting == null) {
      waiting = arrived;
    } else {
      waiting.creature().tell(new Msg.Meet(arrived.creature(), arrived.colour()));
      waiting = null;
      met++;
    }
  }

  static long run(int meetings, int creatures) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(
        result -> Behaviors.setup(new Chameneos(meetings, creatures, result)::mall));
  }
}
