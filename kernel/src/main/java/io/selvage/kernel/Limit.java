package io.selvage.kernel;

import io.selvage.kernel.internal.time.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How much of one type may wait in a mailbox, and what happens to a message for which there is no
 * room. Made in the order in which it is read:
 *
 * <pre>{@code
 * Limit.messages(100).thenDropOldest()
 * Limit.messages(10).thenWait(Duration.ofSeconds(1)).thenRefuse()
 * Limit.weight(10_000_000, Blob::bytes).thenRedirect(spare)
 * }</pre>
 *
 * <p>What waits is what has been sent and not yet taken: a message leaves its place free as soon as
 * the process takes it to handle it. The limit is never exceeded, however many send at once.
 *
 * <p>Immutable. Source: SObjectizer's message limits, {@code limit_then_drop}, {@code
 * limit_then_redirect}, {@code limit_then_transform} and {@code limit_then_abort}, and the
 * reactions of its message chains.
 *
 * @param bound how much may wait
 * @param waitTime how long a sender waits for room before the reaction; zero for not at all
 * @param reaction what happens to a message for which there is no room
 * @param <T> the messages it is for
 */
public record Limit<T>(Bound<? super T> bound, Duration waitTime, Reaction<T> reaction) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if {@code waitTime} is negative
   */
  public Limit {
    Objects.requireNonNull(bound, "bound");
    Objects.requireNonNull(waitTime, "waitTime");
    Objects.requireNonNull(reaction, "reaction");
    if (waitTime.isNegative()) {
      throw new IllegalArgumentException(
          "a sender waits for "
              + waitTime
              + ", but that must not be negative: give zero for no wait");
    }
  }

  /**
   * At most so many messages.
   *
   * @param most how many may wait; 1 or more
   * @param <T> the messages
   * @return what may wait, to which a {@code then…} adds the reaction
   * @throws IllegalArgumentException if {@code most} is less than 1
   */
  public static <T> Bound<T> messages(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "the limit is "
              + most
              + ", but it is a number of messages that may wait: give 1 or more");
    }
    return new Bound<>(most, null);
  }

  /**
   * Messages of at most so much weight together: bytes, rows, whatever the weigher tells. A message
   * that alone weighs more never has room. One that weighs 0 always has: only the process's {@link
   * Marks} bound how many of these wait.
   *
   * <p>The weigher is called by the sender's thread, once for each message. It answers 0 or more;
   * if it throws or answers less, the message is a dead letter, and {@link
   * io.selvage.kernel.spi.KernelEvent.LimitFailed} tells why.
   *
   * @param most the weight that may wait; 1 or more
   * @param weigher tells what a message weighs; 0 or more
   * @param <T> the messages
   * @return what may wait, to which a {@code then…} adds the reaction
   * @throws IllegalArgumentException if {@code most} is less than 1
   */
  public static <T> Bound<T> weight(long most, ToLongFunction<? super T> weigher) {
    Objects.requireNonNull(weigher, "weigher");
    if (most < 1) {
      throw new IllegalArgumentException(
          "the limit is " + most + ", but it is a weight that may wait: give 1 or more");
    }
    return new Bound<>(most, weigher);
  }

  @Override
  public String toString() {
    return bound
        + (waitTime.isZero() ? "" : ", wait " + DurationText.of(waitTime))
        + ", "
        + reaction;
  }

  /**
   * The reactions to choose from.
   *
   * @param <T> the messages
   */
  public sealed interface Choice<T> permits Bound, Waiting {
    /**
     * With any reaction.
     *
     * @param reaction what happens to a message for which there is no room
     * @param <U> the messages
     * @return the limit
     */
    <U extends T> Limit<U> then(Reaction<U> reaction);

    /**
     * Drops the message that comes: it is a dead letter with the cause {@code DROPPED_NEWEST}. A
     * caller learns of it by its timeout.
     *
     * @return the limit
     */
    default Limit<T> thenDrop() {
      return then(new Drop<>());
    }

    /**
     * Drops the oldest that waits, to make room for the message that comes: it is a dead letter
     * with the cause {@code DROPPED_OLDEST}. Of several types in a mailbox, the order of those that
     * are left is kept.
     *
     * <p>A dropped message keeps a small part of its memory, some 70 bytes, until the process comes
     * by its place in the mailbox. Where 65 536 such places have gathered, the process is stuck,
     * and the message that comes is dropped instead.
     *
     * @return the limit
     */
    default Limit<T> thenDropOldest() {
      return then(new DropOldest<>());
    }

    /**
     * Refuses the message that comes: {@link Pid#trySend} answers {@link SendResult#REFUSED}; a
     * call fails at once with the reason {@link Limits.Refused}; what {@link Pid#send} sends is a
     * dead letter with the cause {@code REFUSED}.
     *
     * @return the limit
     */
    default Limit<T> thenRefuse() {
      return then(new Refuse<>());
    }

    /**
     * Sends the message to another process, in the name of its sender. If that redirects it too,
     * and so on, the ninth time it is a dead letter with the cause {@code TOO_DEEP}.
     *
     * @param to who gets it
     * @param <U> the messages
     * @return the limit
     */
    default <U extends T> Limit<U> thenRedirect(Address<? super U> to) {
      return then(new Redirect<>(to));
    }

    /**
     * Sends something made from the message to another process, or to the same one, in the name of
     * its sender. The function is called by the sender's thread, and must be quick. What it throws
     * does not reach the sender, who is not to blame: the message is a dead letter with the cause
     * {@code LIMIT_FAILED}, and {@link io.selvage.kernel.spi.KernelEvent.LimitFailed} tells why.
     *
     * @param function makes what is sent instead
     * @param to who gets it
     * @param <U> the messages
     * @param <R> what is sent instead
     * @return the limit
     */
    default <U extends T, R> Limit<U> thenTransform(
        Function<? super U, ? extends R> function, Address<R> to) {
      return then(new Transform<>(function, to));
    }

    /**
     * Ends the receiver: for those where a full mailbox means that the program is wrong, or that
     * only a restart helps. The exit signal cannot be trapped. The message is a dead letter with
     * the cause {@code ENDED}.
     *
     * @param reason why it ends
     * @return the limit
     */
    default Limit<T> thenEnd(ExitReason reason) {
      return then(new End<>(reason));
    }
  }

  /**
   * How much may wait.
   *
   * @param most how many messages, or how much weight
   * @param weigher what a message weighs; null if messages are counted
   * @param <T> the messages
   */
  public record Bound<T>(long most, @Nullable ToLongFunction<? super T> weigher)
      implements Choice<T> {
    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    public Bound {
      if (most < 1) {
        throw new IllegalArgumentException(
            "the limit is " + most + ", but it is how much may wait: give 1 or more");
      }
    }

    /**
     * The sender waits for room first, and the reaction comes when the time is over. An event
     * process that waits hands its worker over to others. Who waits can be killed, and gets room in
     * the order in which they came.
     *
     * <p>{@link Pid#trySend} does not wait, and is refused. A process that sends to itself would
     * wait for itself, and gets an {@link IllegalStateException} instead. An interrupt of the
     * thread ends the wait, and its status stays set. A message for which there can never be room
     * does not wait.
     *
     * @param time how long at most; more than zero
     * @return what may wait, to which a {@code then…} adds the reaction
     * @throws IllegalArgumentException if {@code time} is not more than zero
     */
    public Waiting<T> thenWait(Duration time) {
      return new Waiting<>(this, time);
    }

    @Override
    public <U extends T> Limit<U> then(Reaction<U> reaction) {
      return new Limit<>(this, Duration.ZERO, reaction);
    }

    @Override
    public String toString() {
      return weigher == null ? most + " messages" : "weight " + most;
    }
  }

  /**
   * How much may wait, and for how long a sender waits for room.
   *
   * @param bound how much
   * @param time how long at most; more than zero
   * @param <T> the messages
   */
  public record Waiting<T>(Bound<T> bound, Duration time) implements Choice<T> {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code time} is not more than zero
     */
    public Waiting {
      Objects.requireNonNull(bound, "bound");
      Objects.requireNonNull(time, "time");
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException(
            "a sender waits for "
                + time
                + ", but that must be more than zero: leave thenWait out for no wait");
      }
    }

    @Override
    public <U extends T> Limit<U> then(Reaction<U> reaction) {
      return new Limit<>(bound, time, reaction);
    }
  }

  /**
   * What happens to a message for which there is no room.
   *
   * @param <T> the messages
   */
  public sealed interface Reaction<T> {}

  /**
   * See {@link Choice#thenDrop}.
   *
   * @param <T> the messages
   */
  public record Drop<T>() implements Reaction<T> {
    @Override
    public String toString() {
      return "drop";
    }
  }

  /**
   * See {@link Choice#thenDropOldest}.
   *
   * @param <T> the messages
   */
  public record DropOldest<T>() implements Reaction<T> {
    @Override
    public String toString() {
      return "drop the oldest";
    }
  }

  /**
   * See {@link Choice#thenRefuse}.
   *
   * @param <T> the messages
   */
  public record Refuse<T>() implements Reaction<T> {
    @Override
    public String toString() {
      return "refuse";
    }
  }

  /**
   * See {@link Choice#thenRedirect}.
   *
   * @param to who gets it
   * @param <T> the messages
   */
  public record Redirect<T>(Address<? super T> to) implements Reaction<T> {
    /** Checks that there is an address. */
    public Redirect {
      Objects.requireNonNull(to, "to");
    }

    @Override
    public String toString() {
      return "redirect to " + to;
    }
  }

  /**
   * See {@link Choice#thenTransform}.
   *
   * @param function makes what is sent instead
   * @param to who gets it
   * @param <T> the messages
   * @param <R> what is sent instead
   */
  public record Transform<T, R>(Function<? super T, ? extends R> function, Address<R> to)
      implements Reaction<T> {
    /** Checks that there are a function and an address. */
    public Transform {
      Objects.requireNonNull(function, "function");
      Objects.requireNonNull(to, "to");
    }

    @Override
    public String toString() {
      return "transform for " + to;
    }
  }

  /**
   * See {@link Choice#thenEnd}.
   *
   * @param reason why the receiver ends
   * @param <T> the messages
   */
  public record End<T>(ExitReason reason) implements Reaction<T> {
    /** Checks that there is a reason. */
    public End {
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String toString() {
      return "end the receiver with " + reason;
    }
  }
}
