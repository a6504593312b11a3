package io.selvage.kernel;

import io.selvage.kernel.internal.process.DirectProcess;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a direct process sees of itself: {@link Self}, and the mailbox.
 *
 * @param <M> the messages the process accepts
 */
public sealed interface DirectSelf<M> extends Self<M> permits DirectProcess {
  /**
   * Takes the next message, waiting for one if there is none. Waiting costs no platform thread.
   *
   * @return the message
   */
  M receive();

  /**
   * Takes the next message, waiting for one no longer than a time. Zero looks at what is there and
   * does not wait.
   *
   * <pre>{@code
   * switch (self.receive(Duration.ofSeconds(1))) {
   *   case null -> timedOut();
   *   case Msg.Deposit(long cents) -> …
   * }
   * }</pre>
   *
   * @param timeout how long to wait; zero or more, of any length; fixed when the call begins
   * @return the message, or null if none came in time
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  @Nullable M receive(Duration timeout);

  // ---------------------------------------------------------------- asynchronous calls

  /**
   * A collection for calls whose outcomes are taken one by one, as they come.
   *
   * @param <K> what tells the calls apart
   * @param <R> the reply
   * @return an empty collection, which belongs to this process; close it
   */
  <K, R> Requests<K, R> requests();

  // ---------------------------------------------------------------- selective receive

  /**
   * Takes the oldest message of a type, waiting for one if there is none. What it skips keeps its
   * place for later receives.
   *
   * <p>The messages of monitors and trapped exits are made, by the function that was given for
   * them, when a receive first looks at them, and only once.
   *
   * <p>Cost: a look at each message skipped, once however long it waits. Source: Erlang's {@code
   * receive}.
   *
   * @param type the type
   * @param <T> the type
   * @return the message
   */
  <T extends M> T receive(Class<T> type);

  /**
   * Takes the oldest message of a type, waiting for one no longer than a time. Zero looks at all
   * that is there, once, and does not wait.
   *
   * @param type the type
   * @param timeout how long to wait; zero or more, of any length; fixed when the call begins,
   *     whatever else arrives
   * @param <T> the type
   * @return the message, or null if none came in time
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  <T extends M> @Nullable T receive(Class<T> type, Duration timeout);

  /**
   * Takes the oldest message that passes a test, waiting for one if there is none. What it skips
   * keeps its place for later receives.
   *
   * <p>The test runs in this process and is meant to look only. It may call the kernel; if it
   * receives, itself, the search begins again with the oldest message. What it throws is thrown
   * here, and every message stays in its place.
   *
   * @param wanted the test; asked once about each message
   * @return the message
   */
  M receive(Predicate<? super M> wanted);

  /**
   * Takes the oldest message that passes a test, waiting for one no longer than a time. Zero looks
   * at all that is there, once, and does not wait.
   *
   * @param wanted the test, as for {@link #receive(Predicate)}
   * @param timeout how long to wait; zero or more, of any length; fixed when the call begins,
   *     whatever else arrives
   * @return the message, or null if none came in time
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  @Nullable M receive(Predicate<? super M> wanted, Duration timeout);

  /**
   * Takes the oldest message that one of the cases takes, waiting for one if there is none, and
   * does what that case says. What it skips keeps its place for later receives. When the action
   * runs, the message is out of the mailbox: what it throws is thrown here, and it may receive.
   *
   * @param cases the cases, tried in order on each message
   * @param <R> what the actions answer
   * @return what the action answered
   */
  <R> R receive(Receive<? super M, ? extends R> cases);

  /**
   * Takes the oldest message that one of the cases takes, waiting for one no longer than a time,
   * and does what that case says. Zero looks at all that is there, once, and does not wait.
   *
   * @param cases the cases, tried in order on each message
   * @param timeout how long to wait; zero or more, of any length; fixed when the call begins,
   *     whatever else arrives
   * @param <R> what the actions answer
   * @return what the action answered, or null if no message came in time
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  <R> @Nullable R receive(Receive<? super M, ? extends R> cases, Duration timeout);
}
