package io.selvage.peers.pekko;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actors that each set a timer and stop with its message. */
final class Tasks {
  private enum Msg {
    WAKE
  }

  private Tasks() {}

  private static Behavior<Msg> task(Duration wait, Runnable completed) {
    return Behaviors.withTimers(timers -> {
      timers.startSingleTimer(Msg.WAKE, wait);
      return Behaviors.receiveMessage(wake -> {
        completed.run();
        return Behaviors.stopped();
      });
    });
  }

  static void start(int tasks, long millis, Runnable completed) throws InterruptedException {
    Behavior<Msg> task = task(Duration.ofMillis(millis), completed);
    CountDownLatch started = new CountDownLatch(1);
    Guardian.spawn(
        Behaviors.setup(context -> {
          for (int i = 0; i < tasks; i++) {
            context.spawnAnonymous(task);
          }
          started.countDown();
          return Behaviors.empty();
        }));
    started.await();
  }
}
