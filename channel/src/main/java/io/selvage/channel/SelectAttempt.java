package io.selvage.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One use of a {@link Select}, on the thread that selects.
 *
 * <pre>
 *   take the locks of all channels
 *     can any case happen? do it
 *     else enter a place for each, all of one wait
 *   free the locks, and wait: the first channel that claims the wait serves it
 *   leave the other places
 * </pre>
 *
 * <p>Because all locks are held from the first look to the last entry, nobody can claim the wait
 * before every place stands, and a select that finds another select waiting needs to claim that one
 * alone. Without this, two selects that meet would each have to claim both (Reppy, Russo and Xiao,
 * "Parallel Concurrent ML"), and try again when they collide.
 *
 * @param <R> what the actions answer
 */
final class SelectAttempt<R> {
  private final List<SelectCase.Try<?, R>> tries;
  private final LockSet locks;

  /** The places of the present wait. */
  private final List<Entered<?, R>> entered;

  /** A case that waits. */
  private record Entered<T, R>(SelectCase.Try<T, R> attempt, Place<T> place) {
    static <T, R> Entered<T, R> of(SelectCase.Try<T, R> attempt, Wait wait) {
      return new Entered<>(attempt, attempt.place(wait));
    }

    void enter() {
      attempt.channel().add(place);
    }

    void leave() {
      attempt.channel().leave(place);
    }

    Supplier<R> served() {
      return attempt.served(place);
    }
  }

  SelectAttempt(List<SelectCase<?, R>> cases, LockSet locks) {
    this.locks = locks;
    this.tries = new ArrayList<>(cases.size());
    this.entered = new ArrayList<>(cases.size());
    for (SelectCase<?, R> each : cases) {
      tries.add(each.begin());
    }
  }

  /**
   * Does what can be done, or else enters the wait.
   *
   * @param turn with which case to begin; any number
   * @param wait who waits, or null not to wait
   * @return what is to be done, or null
   */
  @Nullable Supplier<R> look(int turn, @Nullable Wait wait) {
    int count = tries.size();
    locks.lock();
    try {
      for (int i = 0; i < count; i++) {
        Supplier<R> chosen = tries.get(Math.floorMod(turn + i, count)).now();
        if (chosen != null) {
          return chosen;
        }
      }
      if (wait != null) {
        entered.clear();
        for (SelectCase.Try<?, R> each : tries) {
          entered.add(Entered.of(each, wait));
        }
        entered.forEach(Entered::enter);
      }
      return null;
    } finally {
      locks.unlock();
    }
  }

  /** Does not wait any more. */
  void leave() {
    entered.forEach(Entered::leave);
  }

  /** After the wait was served: what is to be done. */
  Supplier<R> served(Wait wait) {
    Place<?> place = wait.served();
    for (Entered<?, R> each : entered) {
      if (each.place == place) {
        return each.served();
      }
    }
    throw new IllegalStateException("served at " + Objects.toString(place) + ", which is unknown");
  }
}
