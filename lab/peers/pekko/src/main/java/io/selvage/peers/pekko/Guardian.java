package io.selvage.peers.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SpawnProtocol;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** The one actor system, whose guardian spawns what it is asked to, as Pekko's manual shows. */
final class Guardian {
  private static final ActorSystem<SpawnProtocol.Command> SYSTEM =
      ActorSystem.create(SpawnProtocol.create(), "lab");

  private Guardian() {}

  /** Returns when the guardian has spawned its first actor. */
  static void start() throws InterruptedException {
    CountDownLatch spawned = new CountDownLatch(1);
    spawn(
        Behaviors.setup(context -> {
          spawned.countDown();
          return Behaviors.stopped();
        }));
    spawned.await();
  }

  /** Spawns the first actor of a program, which spawns the others. */
  static void spawn(Behavior<?> behavior) {
    SYSTEM.tell(new SpawnProtocol.Spawn<>(behavior, "", Props.empty(), SYSTEM.ignoreRef()));
  }

  /**
   * Runs a program and waits for its result.
   *
   * @param program makes the first actor's behavior, which is to complete the result
   */
  static <R> R run(Function<CompletableFuture<R>, Behavior<?>> program)
      throws InterruptedException, ExecutionException {
    CompletableFuture<R> result = new CompletableFuture<>();
    spawn(program.apply(result));
    return result.get();
  }

  /**
   * What the first actor does when it has nothing more to do: it stops when another has ended, and
   * with it those of its children that are left.
   */
  static <M> Behavior<M> until(ActorContext<M> context, ActorRef<?> other) {
    context.watch(other);
    return Behaviors.receive(
        (self, message) -> Behaviors.unhandled(),
        (self, signal) ->
            signal instanceof Terminated ? Behaviors.stopped() : Behaviors.unhandled());
  }
}
