package io.selvage.peers;

/**
 * The experiments from Savina, a suite for actor libraries, with its parameters (Imam and Sarkar:
 * "Savina – An Actor Benchmark Suite", AGERE 2014). A library's project gives the programs, as it
 * does those of {@link Programs}; each creates its actors anew in every run and returns when all
 * have ended.
 */
public final class Savina {
  private static final double THETA = 37.2;

  private final Lab lab;

  /**
   * None yet.
   *
   * @param lab gets them
   */
  public Savina(Lab lab) {
    this.lab = lab;
  }

  /** A program with one parameter. */
  @FunctionalInterface
  public interface Of1 {
    /**
     * Runs it once.
     *
     * @param parameter its meaning is told where the program is added
     * @return what was counted
     * @throws Exception if it fails
     */
    long run(int parameter) throws Exception;
  }

  /** A program with two parameters. */
  @FunctionalInterface
  public interface Of2 {
    /**
     * Runs it once.
     *
     * @param first its meaning is told where the program is added
     * @param second likewise
     * @return what was counted
     * @throws Exception if it fails
     */
    long run(int first, int second) throws Exception;
  }

  /** Producers and consumers. */
  @FunctionalInterface
  public interface BoundedBuffer {
    /**
     * Runs it once. Producers make items, numbered from 1, and keep the processor busy for each
     * with {@link Savina#work}; they wait while the buffer is full.
     *
     * @param buffer how many items there is room for
     * @param producers how many
     * @param consumers how many
     * @param items how many each producer makes
     * @param cost how long it takes to make one
     * @return how many items were consumed, or -1 if the sum of their numbers is wrong
     * @throws Exception if it fails
     */
    long run(int buffer, int producers, int consumers, int items, int cost) throws Exception;
  }

  /**
   * A producer sends increments to a counter, then asks for its value.
   *
   * @param program gets how many; counts the value
   * @return this
   */
  public Savina counting(Of1 program) {
    lab.counted(
        "counting",
        "messages",
        arguments -> {
          int messages = arguments.count("messages", 1_000_000);
          return new Lab.Counted(messages, () -> program.run(messages));
        });
    return this;
  }

  /**
   * Actors are created one after the other; each gets one message, {@link #compute computes}, ends.
   *
   * @param program gets how many; counts those that have ended with the right value
   * @return this
   */
  public Savina forkJoinCreate(Of1 program) {
    lab.counted(
        "fork-join-create",
        "ended",
        arguments -> {
          int actors = arguments.count("actors", 40_000);
          return new Lab.Counted(actors, () -> program.run(actors));
        });
    return this;
  }

  /**
   * A sender gives each of some actors the same number of messages, round robin; for each message
   * an actor {@link #compute computes}.
   *
   * @param program gets how many messages an actor gets, and how many actors; counts the messages
   * @return this
   */
  public Savina forkJoinThroughput(Of2 program) {
    lab.counted(
        "fork-join-throughput",
        "messages",
        arguments -> {
          int messages = arguments.count("messages", 10_000);
          int actors = arguments.count("actors", 60);
          return new Lab.Counted((long) messages * actors, () -> program.run(messages, actors));
        });
    return this;
  }

  /**
   * Each actor pings others at random, one after the other, and answers the pings that it gets. Its
   * {@link Generator} begins with its number, from 1.
   *
   * @param program gets how many pings an actor sends, and how many actors; counts the pongs
   * @return this
   */
  public Savina big(Of2 program) {
    lab.counted(
        "big",
        "messages",
        arguments -> {
          int messages = arguments.count("messages", 20_000);
          int actors = arguments.atLeast(2, "actors", 120);
          return new Lab.Counted((long) messages * actors, () -> program.run(messages, actors));
        });
    return this;
  }

  /**
   * Creatures of three colours meet in a mall, two at a time.
   *
   * @param program gets how many meetings, and how many creatures; counts the meetings of each
   *     creature
   * @return this
   */
  public Savina chameneos(Of2 program) {
    lab.counted(
        "chameneos",
        "meetings",
        arguments -> {
          int meetings = arguments.count("meetings", 200_000);
          int creatures = arguments.atLeast(2, "creatures", 100);
          return new Lab.Counted(2L * meetings, () -> program.run(meetings, creatures));
        });
    return this;
  }

  /**
   * Producers hand items to consumers through a buffer.
   *
   * @param program the program
   * @return this
   */
  public Savina boundedBuffer(BoundedBuffer program) {
    lab.counted(
        "bounded-buffer",
        "items",
        arguments -> {
          int buffer = arguments.count("buffer", 50);
          int producers = arguments.count("producers", 40);
          int consumers = arguments.count("consumers", 40);
          int items = arguments.count("items", 1000);
          int cost = arguments.count("cost", 25);
          return new Lab.Counted(
              (long) producers * items,
              () -> program.run(buffer, producers, consumers, items, cost));
        });
    return this;
  }

  /**
   * A teller has accounts transfer money; an account does nothing else until the other has replied.
   *
   * @param program gets how many accounts, and how many transactions; counts those that debited one
   *     account and credited another, or tells -1 if the money was not conserved
   * @return this
   */
  public Savina banking(Of2 program) {
    lab.counted(
        "banking",
        "transactions",
        arguments -> {
          int accounts = arguments.atLeast(2, "accounts", 1000);
          int transactions = arguments.count("transactions", 50_000);
          return new Lab.Counted(transactions, () -> program.run(accounts, transactions));
        });
    return this;
  }

  /**
   * Numbers go through a pipeline of filters, each of which holds some of the primes found so far.
   *
   * @param program gets the greatest number, and the most primes a filter holds; counts the primes
   * @return this
   */
  public Savina sieve(Of2 program) {
    lab.counted(
        "sieve",
        "primes",
        arguments -> {
          int limit = arguments.atLeast(2, "limit", 100_000);
          int most = arguments.count("primes", 1000);
          return new Lab.Counted(primes(limit), () -> program.run(limit, most));
        });
    return this;
  }

  /** How many primes there are up to a limit, by trial division. */
  private static long primes(int limit) {
    long count = 0;
    for (int number = 2; number <= limit; number++) {
      int divisor = 2;
      while ((long) divisor * divisor <= number && number % divisor != 0) {
        divisor++;
      }
      if ((long) divisor * divisor > number) {
        count++;
      }
    }
    return count;
  }

  /**
   * Fibonacci's numbers by naive recursion, with an actor for each call.
   *
   * @param program gets which; tells the number
   * @return this
   */
  public Savina fib(Of1 program) {
    lab.counted(
        "fib",
        "value",
        arguments -> {
          int n = arguments.count("n", 25);
          return new Lab.Counted(fib(n), () -> program.run(n));
        });
    return this;
  }

  private static long fib(int n) {
    long value = 0;
    long next = 1;
    for (int i = 0; i < n; i++) {
      long sum = value + next;
      value = next;
      next = sum;
    }
    return value;
  }

  /**
   * What the messages of the fork-join programs carry.
   *
   * @return the number to {@link #compute}
   */
  public static double theta() {
    return THETA;
  }

  /**
   * The computation of the fork-join programs.
   *
   * @param theta a number
   * @return a number above 0
   */
  public static double compute(double theta) {
    double sine = Math.sin(theta);
    return sine * sine;
  }

  /**
   * Keeps the processor busy for an item, which is work to its producer and to its consumer.
   *
   * @param before what it gave for the item before, or 0
   * @param cost how many hundreds of logarithms
   * @return a number
   */
  public static double work(double before, int cost) {
    Generator generator = new Generator(cost);
    double value = before;
    for (int i = 0; i < 100 * cost; i++) {
      value += Math.log(generator.uniform() + 0.01);
    }
    return value;
  }
}
