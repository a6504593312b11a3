package io.selvage.kernel.internal.process;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Self;
import java.util.Objects;

/**
 * The behaviors that are markers: what a handler answers to stay or stop, and what a process is
 * started with.
 */
public final class Behaviors {
  private Behaviors() {}

  private static final Behavior<Object> SAME =
      (_, _) -> {
        throw new IllegalStateException(
            "Behavior.same() keeps a behavior; a process cannot begin with it");
      };
  private static final Stop STOP = new Stop(ExitReason.normal());

  private record Stop(ExitReason reason) implements Behavior<Object> {
    @Override
    public Behavior<Object> onMessage(Self<Object> self, Object message) {
      throw new ExitException(reason);
    }
  }

  /** In place of the behavior of a process that an exit signal has ended. */
  record Doomed(ExitReason reason) implements Behavior<Object> {
    @Override
    public Behavior<Object> onMessage(Self<Object> self, Object message) {
      throw new IllegalStateException("a process that has been ended handles no message");
    }
  }

  /** What a process begins with if it makes its behavior itself. */
  record Beginning<M>(Behavior.Setup<M> setup) implements Behavior<M> {
    @Override
    public Behavior<M> onMessage(Self<M> self, M message) {
      throw new IllegalStateException(
          "Behavior.setup(…) makes the first behavior of a process: give it to spawn, do not answer it from a handler");
    }
  }

  /** See {@link Behavior#same}. */
  @SuppressWarnings("unchecked") // never called with a message
  public static <M> Behavior<M> same() {
    return (Behavior<M>) SAME;
  }

  /** See {@link Behavior#stop(ExitReason)}. */
  @SuppressWarnings("unchecked") // never called with a message
  public static <M> Behavior<M> stop(ExitReason reason) {
    Objects.requireNonNull(reason, "reason");
    return (Behavior<M>)
        (Behavior<?>) (reason instanceof ExitReason.Normal ? STOP : new Stop(reason));
  }

  /** See {@link Behavior#setup}. */
  public static <M> Behavior<M> setup(Behavior.Setup<M> setup) {
    return new Beginning<>(Objects.requireNonNull(setup, "setup"));
  }

  /**
   * The behavior after a handler's answer.
   *
   * @param present the behavior that answered
   * @param answer its answer
   * @throws ExitException if the answer is to stop
   */
  static <M> Behavior<M> next(Behavior<M> present, Behavior<M> answer) {
    if (answer == present || answer == SAME) {
      return present;
    }
    return become(answer);
  }

  private static <M> Behavior<M> become(Behavior<M> answer) {
    return switch ((Behavior<?>)
        Objects.requireNonNull(answer, "a handler answered null instead of a behavior")) {
      case Stop stop -> throw new ExitException(stop.reason());
      case Beginning<?> _ ->
          throw new IllegalArgumentException(
              "a handler answered Behavior.setup(…), which is only for the beginning of a process");
      default -> answer;
    };
  }

  /** The first behavior of a process, made by its setup if it has one. */
  static <M> Behavior<M> first(Behavior<M> behavior, Self<M> self) throws Exception {
    if (behavior instanceof Beginning<M>(Behavior.Setup<M> setup)) {
      Behavior<M> made =
          Objects.requireNonNull(
              setup.start(self), "the setup answered null instead of a behavior");
      if (made == SAME) {
        throw new IllegalArgumentException(
            "the setup answered Behavior.same(), but there is no behavior yet to keep");
      }
      return become(made);
    }
    return behavior;
  }

  /** Whether a process can wait for its first message before any of its code has run. */
  static boolean canBeginIdle(Behavior<?> behavior) {
    return !(behavior instanceof Beginning || behavior instanceof Stop || behavior == SAME);
  }

  /** The body that runs a behavior on a thread of its own. */
  static <M> Body<M> body(Behavior<M> behavior) {
    return self -> {
      Behavior<M> present = first(behavior, self);
      while (true) {
        M message = self.receive();
        present = next(present, present.onMessage(self, message));
        Thread.interrupted(); // a status left by one handler must not be seen by the next
      }
    };
  }
}
