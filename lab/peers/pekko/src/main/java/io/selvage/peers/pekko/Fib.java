package io.selvage.peers.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Fibonacci's numbers by naive recursion, with an actor for each call. */
final class Fib {
  private record Answer(long value) {}

  private static final int CHILDREN = 2;
  private static final Answer ONE = new Answer(1);

  private final ActorRef<Answer> caller;
  private long sum;
  private int missing = CHILDREN;

  private Fib(ActorRef<Answer> caller) {
    this.caller = caller;
  }

  private static Behavior<Answer> call(int n, ActorRef<Answer> caller) {
    return Behaviors.setup(context -> {
      if (n <= CHILDREN) {
        caller.tell(ONE);
        return Behaviors.stopped();
      }
      for (int i = 1; i <= CHILDREN; i++) {
        context.spawnAnonymous(call(n - i, context.getSelf()));
      }
      return Behaviors.receiveMessage(new Fib(caller)::onAnswer);
    });
  }

  private Behavior<Answer> onAnswer(Answer answer) {
    sum += answer.value();
    missing--;
    if (missing > 0) {
      return Behaviors.same();
    }
    caller.tell(new Answer(sum));
    return Behaviors.stopped();
  }

  private static Behavior<Answer> asker(int n, CompletableFuture<Long> result) {
    return Behaviors.setup(context -> {
      context.spawnAnonymous(call(n, context.getSelf()));
      return Behaviors.receiveMessage(
          answer -> Behaviors.stopped(() -> result.complete(answer.value())));
    });
  }

  static long run(int n) throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(result -> asker(n, result));
  }
}
