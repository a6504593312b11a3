package io.selvage.peers.pekko;

import io.selvage.peers.Arrivals;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actors that wait for a message; a parent of each round spawns them and may watch them. */
final class Spawn implements Programs.Crowd {
  /** The one message of an actor under test, and of the parent. */
  private enum Msg {
    STOP
  }

  private final int processes;
  private final boolean watched;
  private final ActorRef<Msg>[] children;
  private final Arrivals arrivals;
  private final Tally ended = new Tally();
  private final Tally seenToEnd = new Tally();
  private CountDownLatch parentGone = new CountDownLatch(0);
  private ActorRef<Msg> parent;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of references cannot be made otherwise
  private Spawn(int processes, boolean watched, Arrivals arrivals) {
    this.processes = processes;
    this.watched = watched;
    this.arrivals = arrivals;
    this.children = new ActorRef[processes];
  }

  static Programs.Crowd open(int processes, String kind, Arrivals arrivals) {
    return new Spawn(processes, kind.equals("monitored"), arrivals);
  }

  private Behavior<Msg> child() {
    Behavior<Msg> waits =
        Behaviors.receiveMessage(stop -> {
          ended.increment();
          return Behaviors.stopped();
        });
    return Behaviors.setup(context -> {
      arrivals.arrive();
      return waits;
    });
  }

  private Behavior<Msg> parent(CompletableFuture<ActorRef<Msg>> itself, CountDownLatch gone) {
    Behavior<Msg> child = child();
    return Behaviors.setup(context -> {
      for (int i = 0; i < processes; i++) {
        children[i] = context.spawnAnonymous(child);
        if (watched) {
          context.watch(children[i]);
        }
      }
      itself.complete(context.getSelf());
      return Behaviors.receive(
          (self, stop) -> Behaviors.stopped(gone::countDown),
          (self, signal) -> {
            if (signal instanceof Terminated) {
              seenToEnd.increment();
            }
            return Behaviors.same();
          });
    });
  }

  @Override
  public void create() throws InterruptedException, ExecutionException {
    CompletableFuture<ActorRef<Msg>> itself = new CompletableFuture<>();
    parentGone = new CountDownLatch(1);
    Guardian.spawn(parent(itself, parentGone));
    parent = itself.get();
    arrivals.await(processes);
  }

  /** A parent is gone after its children, so who waits for it waits for all. */
  @Override
  public long end() throws InterruptedException {
    for (int i = 0; i < processes; i++) {
      children[i].tell(Msg.STOP);
      children[i] = null;
    }
    long counted = ended.await(processes);
    if (watched) {
      counted = Math.min(counted, seenToEnd.await(processes));
    }
    parent.tell(Msg.STOP);
    parentGone.await();
    parent = null;
    return counted;
  }
}
