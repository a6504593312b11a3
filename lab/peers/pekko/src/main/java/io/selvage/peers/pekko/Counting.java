package io.selvage.peers.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A producer sends increments to a counter, then asks for its value. */
final class Counting {
  private sealed interface Command {
    enum Increment implements Command {
      INCREMENT
    }

    record Retrieve(ActorRef<Long> replyTo) implements Command {}
  }

  private Counting() {}

  private static final class Counter {
    private long value;

    private Behavior<Command> onCommand(Command command) {
      switch (command) {
        case Command.Increment.INCREMENT -> value++;
        case Command.Retrieve(ActorRef<Long> replyTo) -> replyTo.tell(value);
      }
      return Behaviors.same();
    }
  }

  private static Behavior<Long> producer(int messages, CompletableFuture<Long> result) {
    return Behaviors.setup(context -> {
      ActorRef<Command> counter =
          context.spawnAnonymous(Behaviors.receiveMessage(new Counter()::onCommand));
      for (int i = 0; i < messages; i++) {
        counter.tell(Command.Increment.INCREMENT);
      }
      counter.tell(new Command.Retrieve(context.getSelf()));
      return Behaviors.receiveMessage(value -> Behaviors.stopped(() -> result.complete(value)));
    });
  }

  static long run(int messages) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(result -> producer(messages, result));
  }
}
