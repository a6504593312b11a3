package io.selvage.otp;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/**
 * How a {@link Pool} works. Immutable: each method answers a changed copy.
 *
 * @param size how many workers; 1 or more; can be changed while the pool runs
 * @param routing which worker gets a message
 * @param load how many calls a worker has at once at most; what exceeds that waits in the pool
 * @param queue how many messages and checkouts wait in the pool at most, while no worker is free
 * @param whenFull what happens with more
 * @param stuckAfter how long a worker may take to answer a call before it is killed and replaced
 * @param ownerEnds what happens with a worker whose owner has ended before it gave it back
 * @param shutdown how long workers may take to end in order before they are killed
 * @param <M> the messages of the workers
 */
public record PoolOptions<M>(
    int size,
    Routing<M> routing,
    int load,
    int queue,
    WhenFull whenFull,
    Duration stuckAfter,
    OwnerEnds ownerEnds,
    Duration shutdown) {
  /** How long a worker may take to answer at most, so that a timer can be set for it. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /**
   * Which worker gets a message.
   *
   * @param <M> the messages
   */
  public sealed interface Routing<M> {
    /** Each worker in its turn. */
    record RoundRobin<M>() implements Routing<M> {}

    /** The one with the fewest calls that are open and messages that wait. */
    record LeastLoaded<M>() implements Routing<M> {}

    /**
     * Always the same for the same key, by consistent hashing: when the size changes, few keys
     * change their worker.
     *
     * @param key tells a message's key
     */
    record Hashed<M>(Function<? super M, ?> key) implements Routing<M> {}

    /**
     * The one that the key went to before; a new key goes to the least loaded. The last 10,000 keys
     * are known.
     *
     * @param key tells a message's key
     */
    record Sticky<M>(Function<? super M, ?> key) implements Routing<M> {}
  }

  /** What happens when as much waits as may. */
  public enum WhenFull {
    /** The new one is refused: a call fails with {@link Pool.Full}, a checkout answers empty. */
    REFUSE,
    /** The new one is dropped, and nobody is told: a call or checkout sees its timeout. */
    DROP_NEWEST,
    /** The one that waits longest is refused, and the new one waits. */
    DROP_OLDEST
  }

  /** What happens with a worker whose owner has ended. */
  public enum OwnerEnds {
    /** It is free again. */
    RETURN,
    /** It is ended, and another started: nobody knows in what state it was left. */
    REPLACE
  }

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public PoolOptions {
    Objects.requireNonNull(routing, "routing");
    Objects.requireNonNull(whenFull, "whenFull");
    Objects.requireNonNull(ownerEnds, "ownerEnds");
    ensurePositive(size, "size of the pool");
    ensurePositive(load, "load of a worker");
    if (queue < 0) {
      throw new IllegalArgumentException(
          "the queue is " + queue + " long: give 0, so that nothing waits, or more");
    }
    if (stuckAfter.isNegative() || stuckAfter.isZero()) {
      throw new IllegalArgumentException(
          "a worker would be stuck after " + stuckAfter + ": give more than zero");
    }
    if (shutdown.isNegative()) {
      throw new IllegalArgumentException(
          "the time for shutdown is " + shutdown + ", but it is a time: give zero or more");
    }
  }

  static void ensurePositive(int number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException("the " + what + " is " + number + ": give 1 or more");
    }
  }

  /**
   * Workers in turn, one call at a time, a queue of 1000 after which more is refused; a worker
   * whose owner ends is replaced, none counts as stuck, and they have five seconds to end.
   *
   * @param size how many workers; 1 or more
   * @param <M> the messages
   * @return the options
   */
  public static <M> PoolOptions<M> of(int size) {
    return new PoolOptions<>(
        size,
        new Routing.RoundRobin<>(),
        1,
        1000,
        WhenFull.REFUSE,
        LONGEST,
        OwnerEnds.REPLACE,
        Duration.ofSeconds(5));
  }

  /**
   * Which worker gets a message.
   *
   * @param other the rule
   * @return a changed copy
   */
  public PoolOptions<M> routed(Routing<M> other) {
    return new PoolOptions<>(size, other, load, queue, whenFull, stuckAfter, ownerEnds, shutdown);
  }

  /**
   * How many calls a worker has at once.
   *
   * @param calls the number; 1 or more
   * @return a changed copy
   */
  public PoolOptions<M> withLoad(int calls) {
    return new PoolOptions<>(
        size, routing, calls, queue, whenFull, stuckAfter, ownerEnds, shutdown);
  }

  /**
   * How much waits in the pool, and what happens with more.
   *
   * @param most the number; zero or more
   * @param then what happens
   * @return a changed copy
   */
  public PoolOptions<M> withQueue(int most, WhenFull then) {
    return new PoolOptions<>(size, routing, load, most, then, stuckAfter, ownerEnds, shutdown);
  }

  /**
   * How long a worker may take to answer a call.
   *
   * @param time the time; more than zero
   * @return a changed copy
   */
  public PoolOptions<M> withStuckAfter(Duration time) {
    return new PoolOptions<>(
        size,
        routing,
        load,
        queue,
        whenFull,
        time.compareTo(LONGEST) > 0 ? LONGEST : time,
        ownerEnds,
        shutdown);
  }

  /**
   * What happens with a worker whose owner has ended.
   *
   * @param rule what
   * @return a changed copy
   */
  public PoolOptions<M> whenOwnerEnds(OwnerEnds rule) {
    return new PoolOptions<>(size, routing, load, queue, whenFull, stuckAfter, rule, shutdown);
  }

  /**
   * How long workers may take to end in order.
   *
   * @param time the time; zero or more
   * @return a changed copy
   */
  public PoolOptions<M> withShutdown(Duration time) {
    return new PoolOptions<>(size, routing, load, queue, whenFull, stuckAfter, ownerEnds, time);
  }
}
