package io.selvage.peers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds the watch for the programs of one library, as the lab does for Selvage's own and for plain
 * Java's.
 *
 * <p>The first run of a fresh JVM gives the figure whose name ends in {@code _cold}. For the ring
 * more runs follow, unmeasured, until the compiler has had three seconds; then, after a collection,
 * comes the run that counts. Tasks have no warm-up: their first run is what a user would see too.
 * The others run at least three times and for at least three seconds, each on a heap just
 * collected; the median counts.
 */
public final class Lab {
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int FEWEST_WARM_UPS = 3;

  private static final int FEWEST_SPAWN_ROUNDS = 5;
  private static final int MOST_SPAWN_ROUNDS = 101;
  private static final long ENOUGH_SPAWN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int TRIES_ALONE = 5;
  private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long SETTLE_SECONDS = 60;
  private static final long AFTERWARDS_MILLIS = 50;

  private static final String STARTUP = "startup";

  private static final int WRONG_RESULT = 1;
  private static final int BAD_ARGUMENTS = 2;

  private final String runtime;
  private final Start start;
  private final Map<String, Measurement> experiments = new LinkedHashMap<>();

  /** Reads the arguments, runs the program as often as it takes, checks. */
  @FunctionalInterface
  private interface Measurement {
    Report measure(Arguments arguments) throws Exception;
  }

  /** Starts what all programs share, such as an actor system, before anything is measured. */
  @FunctionalInterface
  public interface Start {
    /**
     * Returns when it runs.
     *
     * @throws Exception if it fails
     */
    void run() throws Exception;
  }

  /** What is run again and again. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  /**
   * No experiments yet.
   *
   * @param main the class with the main method, whose jar names the version of the library
   * @param name of the library
   * @param start starts what all programs of the library share
   */
  public Lab(Class<?> main, String name, Start start) {
    this.start = start;
    this.runtime = runtime(main, name);
  }

  private static String runtime(Class<?> main, String name) {
    return new StringBuilder(name)
        .append(' ')
        .append(main.getPackage().getImplementationVersion())
        .append(", JDK ")
        .append(System.getProperty("java.runtime.version"))
        .toString();
  }

  /**
   * Runs the smallest program if it is the one that is asked for, and ends the JVM; returns
   * otherwise. To be called before anything else is made: the lab takes the time of all of it from
   * outside. For the same reason nothing on this way is a lambda or adds strings with a plus, which
   * would start machinery of the JVM that the library may have no need of.
   *
   * @param args the arguments of {@code main}
   * @param main the class with the main method, whose jar names the version of the library
   * @param name of the library
   * @param program the program
   */
  public static void startup(String[] args, Class<?> main, String name, Programs.Startup program) {
    if (args.length != 1 || !args[0].equals(STARTUP)) {
      return;
    }
    int exitCode = 0;
    try {
      int answers = program.answers();
      Report.expect("answers", 1, answers);
      System.out.println(new Report().with("answers", answers).json(runtime(main, name)));
      System.out.flush();
    } catch (Throwable e) { // whatever it is must be told
      System.err.println(e instanceof WrongResult ? e.getMessage() : e.toString());
      exitCode = WRONG_RESULT;
    }
    Runtime.getRuntime().halt(exitCode);
  }

  /** Runs the program for three seconds and at least thrice. */
  private static void warmUp(Step step) throws Exception {
    long start = System.nanoTime();
    for (int i = 1; i < FEWEST_WARM_UPS || System.nanoTime() - start < WARM_UP_NANOS; i++) {
      step.run();
    }
    System.gc();
  }

  /**
   * Adds the ring.
   *
   * @param program the program
   * @return this
   */
  public Lab ring(Programs.Ring program) {
    experiments.put(
        "ring",
        arguments -> {
          int processes = arguments.count("processes", 3000);
          int rounds = arguments.count("rounds", 1000);
          arguments.end();
          int fewRounds = Math.max(1, rounds / 10);
          Programs.RingRun cold = program.run(processes, fewRounds);
          warmUp(() -> program.run(processes, fewRounds));
          Programs.RingRun ring = program.run(processes, rounds);
          Report.expect("messages delivered", (long) processes * rounds, ring.deliveries());
          return new Report()
              .with("us_per_spawn", ring.setupNanos() / 1e3 / processes)
              .with("ns_per_message", (double) ring.runNanos() / ring.deliveries())
              .with("messages", ring.deliveries())
              .with("setup_seconds", ring.setupNanos() / 1e9)
              .with("run_seconds", ring.runNanos() / 1e9)
              .with("us_per_spawn_cold", cold.setupNanos() / 1e3 / processes)
              .with("ns_per_message_cold", (double) cold.runNanos() / cold.deliveries());
        });
    return this;
  }

  /**
   * Adds the tasks.
   *
   * @param program the program
   * @return this
   */
  public Lab tasks(Programs.Tasks program) {
    experiments.put(
        "tasks",
        arguments -> {
          int tasks = arguments.count("tasks", 1_000_000);
          long millis = arguments.millis("wait", 10_000);
          arguments.end();
          // One counter, and no lock: a task of the library shall cost, not the count of it.
          AtomicLong completed = new AtomicLong();
          CountDownLatch all = new CountDownLatch(1);
          long start = System.nanoTime();
          program.start(
              tasks,
              millis,
              () -> {
                if (completed.incrementAndGet() == tasks) {
                  all.countDown();
                }
              });
          long started = System.nanoTime();
          all.await();
          long end = System.nanoTime();
          if (end - start < TimeUnit.MILLISECONDS.toNanos(millis)) {
            throw new WrongResult("the tasks ended before their wait was over.");
          }
          Report.expect("tasks completed", tasks, completed.get());
          return new Report()
              .with("wall_seconds", (end - start) / 1e9)
              .with("start_seconds", (started - start) / 1e9)
              .with("completed", completed.get());
        });
    return this;
  }

  /**
   * Adds the spawning.
   *
   * @param program the program
   * @param kinds the kinds of process it has beside {@code plain}
   * @return this
   */
  public Lab spawn(Programs.Spawn program, String... kinds) {
    experiments.put(
        "spawn",
        arguments -> {
          int processes = arguments.count("processes", 100_000);
          String kind = arguments.word("kind", "plain");
          if (!kind.equals("plain") && !Arrays.asList(kinds).contains(kind)) {
            throw new Arguments.Bad("this library has no kind=" + kind + ".");
          }
          boolean busy = arguments.flag("busy");
          arguments.end();
          return spawn(program, processes, kind, new Arrivals(busy));
        });
    return this;
  }

  private static Report spawn(
      Programs.Spawn program, int processes, String kind, Arrivals arrivals) throws Exception {
    Report report = new Report();
    long rounds = 0;
    long ended = 0;

    try (Programs.Crowd crowd = program.open(processes, kind, arrivals)) {
      OptionalLong residentBefore = Memory.resident();
      arrivals.begin();
      long start = System.nanoTime();
      crowd.create();
      report.with("ns_per_spawn_cold", (double) (System.nanoTime() - start) / processes);
      OptionalLong residentAfter = Memory.resident();
      if (residentBefore.isPresent() && residentAfter.isPresent()) {
        double grown = residentAfter.getAsLong() - residentBefore.getAsLong();
        report.with("rss_bytes_per_process", grown / processes);
      }
      arrivals.release();
      ended += crowd.end();
      rounds++;
    }

    try (Programs.Crowd crowd = program.open(processes, kind, arrivals)) {
      List<Long> spawns = new ArrayList<>();
      List<Long> ends = new ArrayList<>();
      long enough = System.nanoTime() + ENOUGH_SPAWN_NANOS;
      while (spawns.size() < FEWEST_SPAWN_ROUNDS
          || (spawns.size() < MOST_SPAWN_ROUNDS && System.nanoTime() < enough)) {
        System.gc();
        arrivals.begin();
        long start = System.nanoTime();
        crowd.create();
        long created = System.nanoTime();
        arrivals.release();
        ended += crowd.end();
        rounds++;
        spawns.add(created - start);
        ends.add(System.nanoTime() - created);
      }
      report
          .with("ns_per_spawn", (double) median(spawns) / processes)
          .with("ns_per_end", (double) median(ends) / processes);
    }

    try (Programs.Crowd crowd = program.open(processes, kind, arrivals)) {
      long before = Memory.heapInUse();
      arrivals.begin();
      crowd.create();
      report.with("bytes_per_process", (double) (Memory.heapInUse() - before) / processes);
      arrivals.release();
      ended += crowd.end();
      rounds++;
    }

    Report.expect("processes ended", rounds * processes, ended);
    return report.with("rounds", rounds).with("ended", ended);
  }

  private static long median(List<Long> values) {
    List<Long> sorted = new ArrayList<>(values);
    sorted.sort(null);
    return sorted.get(sorted.size() / 2);
  }

  /** The nanoseconds of one run. */
  @FunctionalInterface
  private interface Run {
    long nanos() throws Exception;
  }

  /**
   * The first run, and the median of those after it: at least three, and at least three seconds.
   */
  private static final class Repeated {
    private final long cold;
    private final long warm;

    private Repeated(long cold, long warm) {
      this.cold = cold;
      this.warm = warm;
    }

    static Repeated of(Run run) throws Exception {
      long cold = run.nanos();
      List<Long> warm = new ArrayList<>();
      long enough = System.nanoTime() + WARM_UP_NANOS;
      while (warm.size() < FEWEST_WARM_UPS || System.nanoTime() < enough) {
        System.gc();
        warm.add(run.nanos());
      }
      return new Repeated(cold, median(warm));
    }
  }

  /** Runs a program once and tells what it has counted. */
  @FunctionalInterface
  interface Count {
    long count() throws Exception;
  }

  /** A program with its parameters, and what it must count in every run. */
  static final class Counted {
    private final long expected;
    private final Count run;

    Counted(long expected, Count run) {
      this.expected = expected;
      this.run = run;
    }
  }

  /** Reads the parameters of a program. */
  @FunctionalInterface
  interface Prepared {
    Counted with(Arguments arguments);
  }

  /** Adds an experiment whose runs take a time and count something. */
  void counted(String experiment, String metric, Prepared program) {
    experiments.put(
        experiment,
        arguments -> {
          Counted counted = program.with(arguments);
          arguments.end();
          Repeated repeated =
              Repeated.of(() -> {
                long start = System.nanoTime();
                long count = counted.run.count();
                long nanos = System.nanoTime() - start;
                Report.expect(metric, counted.expected, count);
                return nanos;
              });
          return new Report()
              .with("ms", repeated.warm / 1e6)
              .with("ms_cold", repeated.cold / 1e6)
              .with(metric, counted.expected);
        });
  }

  /**
   * Adds the tree.
   *
   * @param program the program
   * @return this
   */
  public Lab skynet(Programs.Skynet program) {
    experiments.put(
        "skynet",
        arguments -> {
          int leaves = arguments.count("leaves", 1_000_000);
          arguments.end();
          if (!Integer.toString(leaves).matches("10*")) {
            throw new Arguments.Bad("leaves=" + leaves + " is not a power of ten.");
          }
          long expected = leaves * (leaves - 1L) / 2;
          Repeated repeated =
              Repeated.of(() -> {
                long start = System.nanoTime();
                long sum = program.sum(leaves);
                long nanos = System.nanoTime() - start;
                Report.expect("sum of the leaves", expected, sum);
                return nanos;
              });
          return new Report()
              .with("ms", repeated.warm / 1e6)
              .with("ms_cold", repeated.cold / 1e6)
              .with("sum", expected);
        });
    return this;
  }

  /**
   * Adds the two.
   *
   * @param program the program
   * @return this
   */
  public Lab pingpong(Programs.PingPong program) {
    experiments.put(
        "pingpong",
        arguments -> {
          int rounds = arguments.count("rounds", 1_000_000);
          arguments.end();
          Repeated repeated =
              Repeated.of(() -> {
                long start = System.nanoTime();
                long messages = program.run(rounds);
                long nanos = System.nanoTime() - start;
                Report.expect("pings and pongs", 2L * rounds, messages);
                return nanos;
              });
          return new Report()
              .with("ns_per_round", (double) repeated.warm / rounds)
              .with("ns_per_round_cold", (double) repeated.cold / rounds)
              .with("messages", 2L * rounds);
        });
    return this;
  }

  /**
   * Adds the many to one.
   *
   * @param program the program
   * @return this
   */
  public Lab fanin(Programs.FanIn program) {
    experiments.put(
        "fanin",
        arguments -> {
          int senders = arguments.count("senders", 1000);
          int messages = arguments.count("messages", 1000);
          arguments.end();
          long all = (long) senders * messages;
          Repeated repeated =
              Repeated.of(() -> {
                Programs.Waiting waiting = program.open(senders, messages);
                long start = System.nanoTime();
                Programs.Received received = waiting.go();
                long nanos = System.nanoTime() - start;
                Report.expect("messages received", all, received.messages());
                Report.expect("sum of the messages", all * (messages - 1L) / 2, received.sum());
                return nanos;
              });
          return new Report()
              .with("messages_per_second", all * 1e9 / repeated.warm)
              .with("messages_per_second_cold", all * 1e9 / repeated.cold)
              .with("messages", all);
        });
    return this;
  }

  /**
   * Adds the overload.
   *
   * @param program the program
   * @return this
   */
  public Lab overload(Programs.Overload program) {
    experiments.put(
        "overload",
        arguments -> {
          int producers = arguments.count("producers", 8);
          long workNanos = TimeUnit.MICROSECONDS.toNanos(arguments.count("work", 20));
          long nanos = TimeUnit.SECONDS.toNanos(arguments.count("seconds", 10));
          arguments.word("heap", ""); // the JVM has it
          arguments.end();
          Load load = new Load(producers, workNanos);
          long start = System.nanoTime();
          program.start(load, producers);
          TimeUnit.NANOSECONDS.sleep(nanos - (System.nanoTime() - start));
          load.stop();
          double seconds = (System.nanoTime() - start) / 1e9;
          settle(load);
          double alone = alone(workNanos);
          double together = load.consumed() / seconds;
          return new Report()
              .with("consumed_percent", 100 * together / alone)
              .with("longest_queue", load.longestQueue())
              .with("produced", load.produced())
              .with("consumed", load.consumed())
              .with("refused", 0)
              .with("still_queued", load.queued())
              .with("consumed_per_second", together)
              .with("alone_per_second", alone);
        });
    return this;
  }

  /** Waits until the consumer has everything; what does not come, the lab sees by the counts. */
  private static void settle(Load load) throws Exception {
    if (!load.awaitProducers(SETTLE_SECONDS)) {
      throw new WrongResult("not all producers have ended when they were told to.");
    }
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
    while (load.taken() < load.produced() && System.nanoTime() < limit) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(AFTERWARDS_MILLIS); // one too many would come now
    Report.expect("messages taken by the consumer", load.produced(), load.taken());
  }

  /** How often a second the work is done without producers, at best: others may disturb it. */
  private static double alone(long workNanos) {
    double best = 0;
    for (int i = 0; i < TRIES_ALONE; i++) {
      long start = System.nanoTime();
      long times = 0;
      long now = start;
      for (; now - start < ALONE_NANOS; now = System.nanoTime()) {
        Load.work(workNanos);
        times++;
      }
      best = Math.max(best, times * 1e9 / (now - start));
    }
    return best;
  }

  /**
   * Adds the pipeline.
   *
   * @param program the program
   * @return this
   */
  public Lab pipeline(Programs.Pipeline program) {
    experiments.put(
        "pipeline",
        arguments -> {
          int items = arguments.count("items", 1_000_000);
          arguments.end();
          Repeated repeated =
              Repeated.of(() -> {
                long start = System.nanoTime();
                int written = program.run(items);
                long nanos = System.nanoTime() - start;
                Report.expect("items written with the right text", items, written);
                return nanos;
              });
          return new Report()
              .with("wall_seconds", repeated.warm / 1e9)
              .with("wall_seconds_cold", repeated.cold / 1e9)
              .with("completed", items);
        });
    return this;
  }

  /**
   * Runs the experiment that is asked for, prints its line and ends the JVM, whatever threads are
   * left.
   *
   * @param args the arguments of {@code main}: the experiment, then {@code name=value}
   */
  public void main(String[] args) {
    int exitCode = 0;
    try {
      Measurement experiment = args.length == 0 ? null : experiments.get(args[0]);
      if (experiment == null && args.length > 0 && args[0].equals(STARTUP)) {
        throw new Arguments.Bad("this experiment has no parameters.");
      }
      if (experiment == null) {
        throw new Arguments.Bad(
            "give one of "
                + String.join(", ", experiments.keySet())
                + ", "
                + STARTUP
                + ", then its parameters as name=value.");
      }
      Arguments arguments = new Arguments(Arrays.copyOfRange(args, 1, args.length));
      start.run();
      String line = experiment.measure(arguments).json(runtime);
      System.out.println(line);
      System.out.flush();
    } catch (Arguments.Bad e) {
      System.err.println(e.getMessage());
      exitCode = BAD_ARGUMENTS;
    } catch (Throwable e) { // an OutOfMemoryError too must be told
      System.err.println(e instanceof WrongResult ? e.getMessage() : e.toString());
      exitCode = WRONG_RESULT;
    }
    // A library's own shutdown must not keep the lab waiting.
    Runtime.getRuntime().halt(exitCode);
  }
}
