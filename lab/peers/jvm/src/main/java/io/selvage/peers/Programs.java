package io.selvage.peers;

/**
 * The experiments' programs as a library's project writes them; {@link Lab} holds the watch, warms
 * up and checks.
 *
 * <p>No class here is a record or sealed: Kilim's weaver has to read them, and knows neither.
 */
public final class Programs {
  private Programs() {}

  /** What one ring did. */
  public static final class RingRun {
    private final long setupNanos;
    private final long runNanos;
    private final long deliveries;

    /**
     * What was measured.
     *
     * @param setupNanos from the first spawn until the last one returned
     * @param runNanos from the first send until the last process had the token for the last time
     * @param deliveries how often a process got the token: the sum of what each counted for itself
     */
    public RingRun(long setupNanos, long runNanos, long deliveries) {
      this.setupNanos = setupNanos;
      this.runNanos = runNanos;
      this.deliveries = deliveries;
    }

    long setupNanos() {
      return setupNanos;
    }

    long runNanos() {
      return runNanos;
    }

    long deliveries() {
      return deliveries;
    }
  }

  /** One token round a ring. */
  @FunctionalInterface
  public interface Ring {
    /**
     * Builds a ring, runs it and takes it down.
     *
     * @param processes how many
     * @param rounds how often the token passes each
     * @return what it did
     * @throws Exception if it fails
     */
    RingRun run(int processes, int rounds) throws Exception;
  }

  /** Many tasks that each wait. */
  @FunctionalInterface
  public interface Tasks {
    /**
     * Starts all tasks, without waiting for any.
     *
     * @param tasks how many
     * @param millis how long each waits
     * @param completed to be run by each task once, after its wait
     * @throws Exception if it fails
     */
    void start(int tasks, long millis, Runnable completed) throws Exception;
  }

  /** Many processes that are created, wait, and are ended, again and again. */
  public interface Crowd extends AutoCloseable {
    /**
     * Creates all processes; returns when every one of them waits for a message, or at once if they
     * spin.
     *
     * @throws Exception if it fails
     */
    void create() throws Exception;

    /**
     * Ends all processes, which have been released, waits until they are gone, and forgets them.
     *
     * @return how many ended
     * @throws Exception if it fails
     */
    long end() throws Exception;

    /**
     * Gives back what all rounds had in common.
     *
     * @throws Exception if it fails
     */
    @Override
    default void close() throws Exception {}
  }

  /** Makes a crowd that has no processes yet. */
  @FunctionalInterface
  public interface Spawn {
    /**
     * Makes it.
     *
     * @param processes how many each round creates
     * @param kind {@code plain} or another of the kinds that {@link Lab#spawn} was told
     * @param arrivals what each process calls first
     * @return the crowd
     * @throws Exception if it fails
     */
    Crowd open(int processes, String kind, Arrivals arrivals) throws Exception;
  }

  /** A tree of processes with ten children each; the leaves tell their numbers. */
  @FunctionalInterface
  public interface Skynet {
    /**
     * Runs the tree.
     *
     * @param leaves how many
     * @return the sum of the leaves' numbers, 0 to leaves - 1
     * @throws Exception if it fails
     */
    long sum(int leaves) throws Exception;
  }

  /** Two processes. */
  @FunctionalInterface
  public interface PingPong {
    /**
     * Makes two processes send a counter to and fro; returns when the last answer has come.
     *
     * @param rounds how often
     * @return how many messages the two have counted together
     * @throws Exception if it fails
     */
    long run(int rounds) throws Exception;
  }

  /** What the receiver of many got. */
  public static final class Received {
    private final long messages;
    private final long sum;

    /**
     * What was measured.
     *
     * @param messages how many
     * @param sum of their numbers
     */
    public Received(long messages, long sum) {
      this.messages = messages;
      this.sum = sum;
    }

    long messages() {
      return messages;
    }

    long sum() {
      return sum;
    }
  }

  /** Senders and a receiver that are there and wait. */
  @FunctionalInterface
  public interface Waiting {
    /**
     * Lets the senders go; returns when the receiver has all messages.
     *
     * @return what the receiver got
     * @throws Exception if it fails
     */
    Received go() throws Exception;
  }

  /** Many senders, one receiver. */
  @FunctionalInterface
  public interface FanIn {
    /**
     * Makes the senders and the receiver. Each sender, when let go, sends the numbers from 0 up to
     * {@code messages - 1} to the receiver, which counts and sums.
     *
     * @param senders how many
     * @param messages how many each sends
     * @return what lets them go
     * @throws Exception if it fails
     */
    Waiting open(int senders, int messages) throws Exception;
  }

  /** A consumer, and producers that are faster. */
  @FunctionalInterface
  public interface Overload {
    /**
     * Starts the consumer and the producers, without waiting for any. A producer sends what {@link
     * Load#next} gives it until that is negative; the consumer calls {@link Load#take} for each
     * message, and does not end.
     *
     * @param load what they do
     * @param producers how many producers, with the numbers from 0 on
     * @throws Exception if it fails
     */
    void start(Load load, int producers) throws Exception;
  }

  /** A manager and three stages. */
  @FunctionalInterface
  public interface Pipeline {
    /**
     * Sends the items without waiting, then a last message that ends the stages one after the
     * other; returns when the last stage has ended.
     *
     * @param items how many
     * @return how many the last stage wrote, as {@link Rewrites.Written#items} tells
     * @throws Exception if it fails
     */
    int run(int items) throws Exception;
  }

  /** The smallest program. */
  public interface Startup {
    /**
     * Starts the library's runtime and one process, gives it one message, waits for its answer, and
     * ends what it has started as the library's documentation says.
     *
     * @return how many answers came
     * @throws Exception if it fails
     */
    int answers() throws Exception;
  }
}
