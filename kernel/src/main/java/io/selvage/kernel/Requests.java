package io.selvage.kernel;

import io.selvage.kernel.internal.process.CollectedCalls;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many calls at once, made by a direct process, whose outcomes are taken one by one in the order in
 * which they come. They do not pass through the mailbox: waiting for one never looks at the
 * messages there, however many there are, and they stay where they are.
 *
 * <pre>{@code
 * try (Requests<Pid<Msg>, Long> requests = self.requests()) {
 *   for (Pid<Msg> account : accounts) {
 *     requests.add(account, account, Msg.Balance::new, Duration.ofSeconds(1));
 *   }
 *   while (requests.size() > 0) {
 *     Requests.Response<Pid<Msg>, Long> response = requests.next();
 *     show(response.key(), response.outcome());
 *   }
 * }
 * }</pre>
 *
 * <p>Belongs to the process that made it and is good only there: every method throws {@link
 * IllegalStateException} on other threads, and all but {@link #size} and {@link #close} are kernel
 * calls. Source: {@code gen_server:reqids_new}, {@code reqids_add}, {@code receive_response}.
 *
 * @param <K> what tells the calls apart
 * @param <R> the reply
 */
public sealed interface Requests<K, R> extends AutoCloseable permits CollectedCalls {
  /**
   * Calls a process without waiting. It is watched: its end, or its absence, is an outcome at once.
   *
   * @param key comes back with the outcome; keys need not differ
   * @param target the process to call
   * @param request makes the request from the reply address; often a record's constructor
   * @param timeout how long the reply may take; zero or more, of any length; more than about 292
   *     years is for ever, and sets no timer
   * @param <T> what the called process accepts
   * @throws IllegalArgumentException if {@code timeout} is negative
   * @throws IllegalStateException if the collection was closed
   */
  <T> void add(
      K key, Pid<T> target, Function<? super ReplyTo<R>, ? extends T> request, Duration timeout);

  /**
   * How many outcomes have not been taken: of calls that are open, and of those that have one.
   *
   * @return the number
   */
  int size();

  /**
   * Takes the next outcome, waiting for one if there is none.
   *
   * @return the outcome and its key
   * @throws java.util.NoSuchElementException if {@link #size} is zero
   */
  Response<K, R> next();

  /**
   * Takes the next outcome, waiting for one no longer than a time. Zero looks and does not wait.
   * The calls that are open stay so when the time is over.
   *
   * @param timeout how long to wait; zero or more, of any length; fixed when the call begins
   * @return the outcome and its key, or null if none came in time
   * @throws IllegalArgumentException if {@code timeout} is negative
   * @throws java.util.NoSuchElementException if {@link #size} is zero
   */
  @Nullable Response<K, R> next(Duration timeout);

  /** Abandons what has not been taken. Replies that come, or have come, are dropped and counted. */
  @Override
  void close();

  /**
   * One outcome.
   *
   * @param key what was given to {@code add}
   * @param outcome how the call ended
   * @param <K> the key
   * @param <R> the reply
   */
  record Response<K, R>(K key, Outcome<R> outcome) {}
}
