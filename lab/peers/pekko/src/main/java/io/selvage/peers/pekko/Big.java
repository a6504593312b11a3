package io.selvage.peers.pekko;

import io.selvage.peers.Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Every actor pings others at random, one after the other, and answers the pings that it gets. */
final class Big {
  private sealed interface Msg {
    record Start(List<ActorRef<Msg>> others) implements Msg {}

    record Ping(ActorRef<Msg> from) implements Msg {}

    enum Signal implements Msg {
      PONG,
      STOP
    }
  }

  /** What the sink hears. */
  private sealed interface Report {
    enum Done implements Report {
      DONE
    }

    record Pongs(long count) implements Report {}
  }

  private final int messages;
  private final int actors;
  private final CompletableFuture<Long> result;
  private final List<ActorRef<Msg>> all = new ArrayList<>();
  private int done;
  private int stopped;
  private long sum;

  private Big(int messages, int actors, CompletableFuture<Long> result) {
    this.messages = messages;
    this.actors = actors;
    this.result = result;
  }

  private final class Actor {
    private final ActorRef<Report> sink;
    private final Generator generator;
    private final Msg.Ping ping;
    private List<ActorRef<Msg>> others = List.of();
    private long pongs;

    Actor(int number, ActorRef<Msg> self, ActorRef<Report> sink) {
      this.sink = sink;
      this.generator = new Generator(number);
      this.ping = new Msg.Ping(self);
    }

    private Behavior<Msg> onMessage(Msg message) {
      switch (message) {
        case Msg.Ping(ActorRef<Msg> from) -> from.tell(Msg.Signal.PONG);
        case Msg.Signal.PONG -> {
          pongs++;
          if (pongs == messages) {
            sink.tell(Report.Done.DONE);
          } else {
            pingAnother();
          }
        }
        case Msg.Start start -> {
          others = start.others();
          pingAnother();
        }
        case Msg.Signal.STOP -> {
          sink.tell(new Report.Pongs(pongs));
          return Behaviors.stopped();
        }
      }
      return Behaviors.same();
    }

    private void pingAnother() {
      others.get(generator.below(others.size())).tell(ping);
    }
  }

  private Behavior<Report> sink(ActorContext<Report> context) {
    for (int i = 0; i < actors; i++) {
      int number = i + 1;
      all.add(
          context.spawnAnonymous(
              Behaviors.setup(self ->
                  Behaviors.receiveMessage(
                      new Actor(number, self.getSelf(), context.getSelf())::onMessage))));
    }
    for (int i = 0; i < actors; i++) {
      List<ActorRef<Msg>> others = new ArrayList<>(all);
      ActorRef<Msg> actor = others.remove(i);
      actor.tell(new Msg.Start(others));
    }
    return Behaviors.receiveMessage(this::onReport);
  }

  private Behavior<Report> onReport(Report report) {
    switch (report) {
      case Report.Done.DONE -> {
        done++;
        if (done == actors) {
          all.forEach(actor -> actor.tell(Msg.Signal.STOP));
        }
      }
      case Report.Pongs(long count) -> {
        sum += count;
        stopped++;
        if (stopped == actors) {
          return Behaviors.stopped(() -> result.complete(sum));
        }
      }
    }
    return Behaviors.same();
  }

  static long run(int messages, int actors) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(
        result -> Behaviors.setup(new Big(messages, actors, result)::sink));
  }
}
