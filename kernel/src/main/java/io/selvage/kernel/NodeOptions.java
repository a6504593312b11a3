package io.selvage.kernel;

import io.selvage.kernel.internal.schedule.Workers;
import io.selvage.kernel.spi.Clock;
import io.selvage.kernel.spi.EventSink;
import io.selvage.kernel.spi.HeapGauge;
import io.selvage.kernel.spi.Scheduler;
import io.selvage.kernel.spi.ThreadSource;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How to start a node. Immutable: each {@code with…} answers a changed copy.
 *
 * @param name begins the text of the node's pids
 * @param workers how many threads run event processes; the default is the number of processors
 * @param turn the most messages that an event process handles before others get their turn
 * @param closeTimeout how long {@link Node#close()} waits
 * @param longHandler after how long a handler of an event process is reported
 * @param directOnWorkers whether direct processes run on the node's own workers where the JVM
 *     allows it (an opt-in; see the guide, "Direct processes on the workers")
 * @param clock the source of time
 * @param threads the source of threads
 * @param scheduler makes what runs event processes
 * @param events where events go
 * @param reports what crash reports show
 * @param marks when a mailbox is too long, and senders are held back
 * @param heapGuard when the heap is nearly full, and senders are held back earlier
 * @param heapGauge tells how full the heap is
 */
public record NodeOptions(
    String name,
    int workers,
    int turn,
    Duration closeTimeout,
    Duration longHandler,
    boolean directOnWorkers,
    Clock clock,
    ThreadSource threads,
    Scheduler.Factory scheduler,
    EventSink events,
    ReportOptions reports,
    Marks marks,
    HeapGuard heapGuard,
    HeapGauge heapGauge) {
  private static final int MOST_WORKERS = 1024;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public NodeOptions {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(closeTimeout, "closeTimeout");
    Objects.requireNonNull(longHandler, "longHandler");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(threads, "threads");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(events, "events");
    Objects.requireNonNull(reports, "reports");
    Objects.requireNonNull(marks, "marks");
    Objects.requireNonNull(heapGuard, "heapGuard");
    Objects.requireNonNull(heapGauge, "heapGauge");
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the node's name is blank: give it a text, such as \"node\"");
    }
    if (workers < 1 || workers > MOST_WORKERS) {
      throw new IllegalArgumentException(
          "the number of workers is " + workers + ", but it must be from 1 to " + MOST_WORKERS);
    }
    if (turn < 1) {
      throw new IllegalArgumentException(
          "the turn is " + turn + " messages, but it must be 1 or more");
    }
    if (closeTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "the close timeout is " + closeTimeout + ", but it must not be negative");
    }
    if (longHandler.isNegative() || longHandler.isZero()) {
      throw new IllegalArgumentException(
          "a long handler takes " + longHandler + ", but that must be more than zero");
    }
  }

  /**
   * The defaults: as many workers as processors, turns of 64 messages, 10 seconds to close,
   * handlers reported after 100 milliseconds, direct processes on the JDK's scheduler, events
   * logged, the default marks, and the default guard over the heap of this JVM.
   *
   * @return the defaults
   */
  public static NodeOptions defaults() {
    return new NodeOptions(
        "node",
        Math.min(Runtime.getRuntime().availableProcessors(), MOST_WORKERS),
        64,
        Duration.ofSeconds(10),
        Duration.ofMillis(100),
        false,
        Clock.system(),
        ThreadSource.jdk(),
        Workers.FACTORY,
        EventSink.logging(),
        ReportOptions.defaults(),
        Marks.defaults(),
        HeapGuard.defaults(),
        HeapGauge.jdk());
  }

  /**
   * Names the node.
   *
   * @param name the name; not blank
   * @return a changed copy
   */
  public NodeOptions withName(String name) {
    return with(draft -> draft.name = name);
  }

  /**
   * Sets the number of threads that run event processes.
   *
   * @param workers 1 to 1024
   * @return a changed copy
   */
  public NodeOptions withWorkers(int workers) {
    return with(draft -> draft.workers = workers);
  }

  /**
   * Sets the most messages that an event process handles in one turn.
   *
   * @param turn 1 or more
   * @return a changed copy
   */
  public NodeOptions withTurn(int turn) {
    return with(draft -> draft.turn = turn);
  }

  /**
   * Sets how long {@link Node#close()} waits.
   *
   * @param closeTimeout zero or more
   * @return a changed copy
   */
  public NodeOptions withCloseTimeout(Duration closeTimeout) {
    return with(draft -> draft.closeTimeout = closeTimeout);
  }

  /**
   * Sets after how long a handler of an event process is reported.
   *
   * @param longHandler more than zero
   * @return a changed copy
   */
  public NodeOptions withLongHandler(Duration longHandler) {
    return with(draft -> draft.longHandler = longHandler);
  }

  /**
   * Asks for direct processes to run on the node's own workers beside the event processes, which
   * makes a hand-over between them several times cheaper. Works where the JVM was started with
   * {@code --add-opens java.base/java.lang=io.selvage.kernel} (or {@code =ALL-UNNAMED} if Selvage
   * is on the class path); elsewhere the node says so once, as an event, and uses the JDK's
   * scheduler.
   *
   * <p>When the node has closed, its workers are gone: a body that did not end in time then never
   * goes on.
   *
   * @param directOnWorkers whether to ask
   * @return a changed copy
   */
  public NodeOptions withDirectOnWorkers(boolean directOnWorkers) {
    return with(draft -> draft.directOnWorkers = directOnWorkers);
  }

  /**
   * Sets the source of time.
   *
   * @param clock the clock
   * @return a changed copy
   */
  public NodeOptions withClock(Clock clock) {
    return with(draft -> draft.clock = clock);
  }

  /**
   * Sets the source of threads.
   *
   * @param threads the source
   * @return a changed copy
   */
  public NodeOptions withThreads(ThreadSource threads) {
    return with(draft -> draft.threads = threads);
  }

  /**
   * Sets what runs event processes.
   *
   * @param scheduler makes the scheduler
   * @return a changed copy
   */
  public NodeOptions withScheduler(Scheduler.Factory scheduler) {
    return with(draft -> draft.scheduler = scheduler);
  }

  /**
   * Sets where events go.
   *
   * @param events the sink
   * @return a changed copy
   */
  public NodeOptions withEvents(EventSink events) {
    return with(draft -> draft.events = events);
  }

  /**
   * Sets what crash reports show, and how much of it.
   *
   * @param reports the choice
   * @return a changed copy
   */
  public NodeOptions withReports(ReportOptions reports) {
    return with(draft -> draft.reports = reports);
  }

  /**
   * Sets when a mailbox is too long, so that its senders are held back; see {@link Marks}.
   *
   * @param marks the marks
   * @return a changed copy
   */
  public NodeOptions withMarks(Marks marks) {
    return with(draft -> draft.marks = marks);
  }

  /**
   * Sets when the heap is nearly full, so that senders are held back earlier; see {@link
   * HeapGuard}.
   *
   * @param heapGuard the guard
   * @return a changed copy
   */
  public NodeOptions withHeapGuard(HeapGuard heapGuard) {
    return with(draft -> draft.heapGuard = heapGuard);
  }

  /**
   * Sets what tells how full the heap is.
   *
   * @param heapGauge the gauge
   * @return a changed copy
   */
  public NodeOptions withHeapGauge(HeapGauge heapGauge) {
    return with(draft -> draft.heapGauge = heapGauge);
  }

  /** This with one change. */
  private NodeOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  /** The same values, not checked yet, each of which can be changed. Never leaves this class. */
  private static final class Draft {
    private String name;
    private int workers;
    private int turn;
    private Duration closeTimeout;
    private Duration longHandler;
    private boolean directOnWorkers;
    private Clock clock;
    private ThreadSource threads;
    private Scheduler.Factory scheduler;
    private EventSink events;
    private ReportOptions reports;
    private Marks marks;
    private HeapGuard heapGuard;
    private HeapGauge heapGauge;

    Draft(NodeOptions from) {
      name = from.name;
      workers = from.workers;
      turn = from.turn;
      closeTimeout = from.closeTimeout;
      longHandler = from.longHandler;
      directOnWorkers = from.directOnWorkers;
      clock = from.clock;
      threads = from.threads;
      scheduler = from.scheduler;
      events = from.events;
      reports = from.reports;
      marks = from.marks;
      heapGuard = from.heapGuard;
      heapGauge = from.heapGauge;
    }

    NodeOptions finish() {
      return new NodeOptions(
          name,
          workers,
          turn,
          closeTimeout,
          longHandler,
          directOnWorkers,
          clock,
          threads,
          scheduler,
          events,
          reports,
          marks,
          heapGuard,
          heapGauge);
    }
  }
}
