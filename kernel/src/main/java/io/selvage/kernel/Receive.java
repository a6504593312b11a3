package io.selvage.kernel;

import io.selvage.kernel.internal.process.Clauses;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The cases of a selective receive: each says which messages it takes and what to do with one.
 * Immutable; each method answers a changed copy, so that it can be made once and used often.
 *
 * <pre>{@code
 * static final Receive<Msg, String> ANSWER =
 *     Receive.<Msg, String>cases()
 *         .on(Msg.Ack.class, ack -> "done at " + ack.time())
 *         .on(Msg.Nack.class, nack -> nack.code() > 500, nack -> "refused");
 *
 * String answer = self.receive(ANSWER, Duration.ofSeconds(5));   // null after five seconds
 * }</pre>
 *
 * <p>The cases are tried in order on the oldest message; if none takes it, it keeps its place and
 * they are tried on the next one.
 *
 * <p>May be used by any thread. Source: the clauses of Erlang's {@code receive}.
 *
 * @param <M> the messages of the process
 * @param <R> what the actions answer
 */
public sealed interface Receive<M, R> permits Clauses {
  /**
   * No cases yet. Without any, a receive takes nothing: with a timeout, it sleeps.
   *
   * @param <M> the messages of the process
   * @param <R> what the actions answer
   * @return no cases
   */
  static <M, R> Receive<M, R> cases() {
    return Clauses.none();
  }

  /**
   * Takes messages of a type.
   *
   * @param type the type; {@code M} itself for all that the cases before have not taken
   * @param action what to do with the message, once it is out of the mailbox; may receive, too. Its
   *     answer is that of the receive.
   * @param <T> the type
   * @return these cases and then this one
   */
  <T extends M> Receive<M, R> on(Class<T> type, Function<? super T, ? extends R> action);

  /**
   * Takes messages of a type that pass a test.
   *
   * @param type the type
   * @param guard the test, with the meaning of that of {@link DirectSelf#receive(Predicate)}
   * @param action what to do with the message, once it is out of the mailbox; may receive, too. Its
   *     answer is that of the receive.
   * @param <T> the type
   * @return these cases and then this one
   */
  <T extends M> Receive<M, R> on(
      Class<T> type, Predicate<? super T> guard, Function<? super T, ? extends R> action);
}
