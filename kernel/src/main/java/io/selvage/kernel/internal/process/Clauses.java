package io.selvage.kernel.internal.process;

import io.selvage.kernel.Receive;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cases of a selective receive.
 *
 * @param <M> the messages of the process
 * @param <R> what the actions answer
 */
public final class Clauses<M, R> implements Receive<M, R> {
  private static final Clauses<?, ?> NONE = new Clauses<>(new Clause[0]);

  /** One case, whose functions are given only what is of its type. */
  record Clause(Class<?> type, @Nullable Predicate<Object> guard, Function<Object, Object> action) {
    boolean takes(Object message) {
      return type.isInstance(message) && (guard == null || guard.test(message));
    }
  }

  private final Clause[] clauses;

  private Clauses(Clause[] clauses) {
    this.clauses = clauses;
  }

  /** See {@link Receive#cases}. */
  @SuppressWarnings("unchecked") // holds no M and no R
  public static <M, R> Receive<M, R> none() {
    return (Receive<M, R>) NONE;
  }

  @Override
  public <T extends M> Receive<M, R> on(Class<T> type, Function<? super T, ? extends R> action) {
    return with(type, null, action);
  }

  @Override
  public <T extends M> Receive<M, R> on(
      Class<T> type, Predicate<? super T> guard, Function<? super T, ? extends R> action) {
    return with(type, Objects.requireNonNull(guard, "guard"), action);
  }

  @SuppressWarnings("unchecked") // both are given what is of the type
  private <T> Clauses<M, R> with(
      Class<T> type,
      @Nullable Predicate<? super T> guard,
      Function<? super T, ? extends R> action) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(action, "action");
    Clause[] more = new Clause[clauses.length + 1];
    System.arraycopy(clauses, 0, more, 0, clauses.length);
    more[clauses.length] =
        new Clause(type, (Predicate<Object>) guard, (Function<Object, Object>) action);
    return new Clauses<>(more);
  }

  /** The first case that takes a message, or null. */
  @Nullable Clause find(Object message) {
    for (Clause clause : clauses) {
      if (clause.takes(message)) {
        return clause;
      }
    }
    return null;
  }

  /** One receive with these cases: a test that remembers which of them took the message. */
  static final class Choice implements Predicate<Object> {
    private final Clauses<?, ?> clauses;
    private @Nullable Clause chosen;

    Choice(Clauses<?, ?> clauses) {
      this.clauses = clauses;
    }

    @Override
    public boolean test(Object message) {
      Clause clause = clauses.find(message);
      chosen = clause;
      return clause != null;
    }

    /** Does what the case says that took the message. */
    Object act(Object message) {
      return Objects.requireNonNull(chosen).action().apply(message);
    }
  }
}
