package io.selvage.kernel;

import io.selvage.kernel.internal.process.DirectProcess;
import java.time.Duration;
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
}
