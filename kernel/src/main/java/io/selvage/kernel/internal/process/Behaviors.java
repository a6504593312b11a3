package io.selvage.kernel.internal.process;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Self;
import io.selvage.kernel.spi.SystemMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The behaviors that are only markers: what a handler answers to stay or stop, and what a process
 * is started with.
 */
public final class Behaviors {
  /** In place of the behavior of a process that has ended. Made once: a million may end at once. */
  static final Doomed ENDED = new Doomed(ExitReason.normal(), Behaviors.class);

  private static final Same SAME = new Same();
  private static final Stop STOP = new Stop(ExitReason.normal());

  private Behaviors() {}

  /** A class, not an interface, so that telling a marker from a behavior costs one comparison. */
  abstract static sealed class Marker<M> implements Behavior<M> {
    private final String misuse;

    Marker(String misuse) {
      this.misuse = misuse;
    }

    @Override
    public final Behavior<M> onMessage(Self<M> self, M message) {
      throw new IllegalStateException(misuse);
    }
  }

  private static final class Same extends Marker<Object> {
    Same() {
      super("Behavior.same() only says that a process keeps its behavior: it handles no message");
    }
  }

  private static final class Stop extends Marker<Object> {
    private final ExitReason reason;

    Stop(ExitReason reason) {
      super("Behavior.stop() only says that a process ends: it handles no message");
      this.reason = reason;
    }
  }

  /** In place of the behavior of a process that an exit signal has ended. */
  static final class Doomed extends Marker<Object> {
    final ExitReason reason;

    /** The class of the behavior that this replaced. */
    final Class<?> code;

    Doomed(ExitReason reason, Class<?> code) {
      super("a process that has been ended handles no message");
      this.code = code;
      this.reason = reason;
    }
  }

  /** What a process begins with if it makes its behavior itself. */
  private static final class Beginning<M> extends Marker<M> {
    private final Behavior.Setup<M> setup;

    Beginning(Behavior.Setup<M> setup) {
      super("Behavior.setup(…) makes the first behavior of a process: it handles no message");
      this.setup = setup;
    }
  }

  /** See {@link Behavior#same}. */
  @SuppressWarnings("unchecked") // never called with a message
  public static <M> Behavior<M> same() {
    return (Behavior<M>) (Behavior<?>) SAME;
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
   * The first behavior of a process, made by its setup if it has one; or a stop.
   *
   * @param behavior what was given to spawn
   * @param self the process
   */
  static <M> Behavior<M> first(Behavior<M> behavior, Self<M> self) throws Exception {
    if (!(behavior instanceof Beginning<M> beginning)) {
      return behavior;
    }
    Behavior<M> made =
        Objects.requireNonNull(
            beginning.setup.start(self), "the setup answered null instead of a behavior");
    if (made instanceof Marker && !isStop(made)) {
      throw new IllegalArgumentException(
          "the setup answered a behavior that handles no message: answer a real one, or Behavior.stop()");
    }
    return made;
  }

  /**
   * The behavior after a handler's answer, which is not the present one: the present one again, or
   * a stop, or another.
   */
  static <M> Behavior<M> next(Behavior<M> present, Behavior<M> answer) {
    if (!(answer instanceof Marker)) {
      return Objects.requireNonNull(answer, "a handler answered null instead of a behavior");
    }
    if (isSame(answer)) {
      return present;
    }
    if (isStop(answer)) {
      return answer;
    }
    throw new IllegalArgumentException(
        "a handler answered Behavior.setup(…), which is only for the beginning of a process");
  }

  private static boolean isSame(Behavior<?> behavior) {
    return behavior == (Behavior<?>) SAME;
  }

  private static boolean isStop(Behavior<?> behavior) {
    return behavior instanceof Stop;
  }

  /** Why a process ends that has this behavior, or null if it goes on. */
  static @Nullable ExitReason stopReason(Behavior<?> behavior) {
    return behavior instanceof Stop stop ? stop.reason : null;
  }

  /** Whether a process can wait for its first message before any of its code has run. */
  static boolean canBeginIdle(Behavior<?> behavior) {
    return !(behavior instanceof Marker);
  }

  /** The class that holds the code of a behavior that was given to spawn. */
  static Class<?> code(Behavior<?> behavior) {
    if (!(behavior instanceof Marker)) {
      return behavior.getClass();
    }
    // No switch: its table would be a class of its own, first used when memory may be short.
    if (behavior instanceof Beginning<?> beginning) {
      return beginning.setup.getClass();
    }
    return (Behavior<?>) behavior instanceof Doomed doomed ? doomed.code : behavior.getClass();
  }

  /** The body that runs a behavior on a thread of its own. */
  static <M> Body<M> body(Behavior<M> behavior) {
    return self -> {
      Behavior<M> present = first(behavior, self);
      if (present instanceof SystemMessage.Receiver receiver) {
        ((DirectProcess<M>) self).receivesBy(receiver);
      }
      while (true) {
        ExitReason stop = stopReason(present);
        if (stop != null) {
          throw new ExitException(stop);
        }
        Thread.interrupted(); // a status left by one handler must not be seen by the next
        M message = self.receive();
        try {
          Behavior<M> answer = present.onMessage(self, message);
          if (answer != present) {
            present = next(present, answer);
          }
        } catch (Throwable failure) {
          ((DirectProcess<M>) self).failedWith(message);
          throw failure;
        }
      }
    };
  }
}
