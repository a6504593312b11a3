package io.selvage.kernel.internal.node;

import io.selvage.kernel.Address;
import io.selvage.kernel.Backlog;
import io.selvage.kernel.Baseline;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.Counter;
import io.selvage.kernel.DeadLetterStats;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Groups;
import io.selvage.kernel.Init;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Marks;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.NodeStats;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.Ranked;
import io.selvage.kernel.ReportOptions;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.Timer;
import io.selvage.kernel.TraceEvent;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.internal.jfr.FlightRecording;
import io.selvage.kernel.internal.observe.FunctionOutlet;
import io.selvage.kernel.internal.observe.Measuring;
import io.selvage.kernel.internal.observe.Observation;
import io.selvage.kernel.internal.observe.Tracing;
import io.selvage.kernel.internal.process.Autopsy;
import io.selvage.kernel.internal.process.EventProcess;
import io.selvage.kernel.internal.process.Handshake;
import io.selvage.kernel.internal.process.HeldName;
import io.selvage.kernel.internal.process.Inspection;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.Runner;
import io.selvage.kernel.internal.process.StackReserve;
import io.selvage.kernel.internal.registry.LocalGroups;
import io.selvage.kernel.internal.registry.Names;
import io.selvage.kernel.internal.schedule.RunTask;
import io.selvage.kernel.internal.schedule.RunningTurns;
import io.selvage.kernel.internal.schedule.Worker;
import io.selvage.kernel.internal.schedule.WorkerCarriers;
import io.selvage.kernel.internal.schedule.Workers;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.CrashReport;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import io.selvage.kernel.spi.Scheduler;
import io.selvage.kernel.spi.SpinLock;
import io.selvage.kernel.spi.ThreadSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node: what its processes share.
 *
 * <h2>Closing, against "someone spawns now"</h2>
 *
 * <ol>
 *   <li>The process table is sealed, stripe by stripe, each under its lock. A spawn enters its
 *       process under the same lock. So a spawn either came before, and the walk of the next step
 *       sees its process, or it is refused with an exception, and nothing was started.
 *   <li>Every process in the table gets the exit signal {@code shutdown}. A process that was
 *       entered but has not been launched yet gets it in its inbox like any other, and ends as soon
 *       as its thread or its first turn looks there.
 *   <li>Until as many have ended as were entered: at half of the time, those that are left get the
 *       signal {@code kill}; at its end they are given up.
 *   <li>The wheel and the scheduler stop. Nothing that is left can spawn; what it sends goes
 *       nowhere and is counted.
 * </ol>
 *
 * <p>A process leaves the table before it tells its links and monitors of its end, and is counted
 * as ended after: so the wait is for the count.
 */
public final class LocalNode implements Node {
  private final NodeOptions options;
  private final ProcessTable table;
  private final Origins origins;
  private final @Nullable BodyWatch bodies;
  private final Names names = new Names();
  private final LocalGroups groups = new LocalGroups(this);
  private final TimerWheel wheel;
  private final Scheduler scheduler;

  /** The scheduler, if it is the kernel's own. */
  private final @Nullable Workers workers;

  private final @Nullable WorkerCarriers carriers;

  /** How many messages an event process handles in one turn. */
  public final int turn;

  /**
   * The high mark, in the place where every send looks. Changed by any thread; who reads the old
   * one is a message late.
   */
  public int highMark;

  /** In place of a mark: the heap is not nearly full. */
  static final int NO_MARK = Integer.MAX_VALUE;

  /** When a mailbox is too long. Any thread. */
  private volatile Marks marks;

  /** The same while the heap is nearly full, for mailboxes that may be longer; else null. */
  private volatile @Nullable Marks heapMarks;

  /** Held by those who change what is above. */
  private final SpinLock marksLock = new SpinLock();

  private final HeapWatch heapWatch;

  private final ThreadSource threads;
  private final LongAdder ended = new LongAdder();

  /** Processes that have ended and have told others. */
  private final LongAdder gone = new LongAdder();

  private final LongAdder crashed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder mutes = new LongAdder();
  private final Observation observation;
  private final Tracing tracing;
  private final Measuring measuring;
  private final DeadLetterLedger deadLetters;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Gets a permit for each process that ends while the node is closing. */
  private final Semaphore ends = new Semaphore(0);

  private LocalNode(NodeOptions options) {
    this.options = options;
    this.turn = options.turn();
    this.marks = options.marks();
    this.highMark = marks.high();
    this.threads = options.threads();
    this.table = new ProcessTable(options.workers());
    this.origins = new Origins(table);
    this.wheel = new TimerWheel(options.clock(), options.name(), this::fault);
    this.scheduler =
        options
            .scheduler()
            .create(
                new Scheduler.Setting(
                    options.name(),
                    options.workers(),
                    nanos(options.longHandler(), "duration of a long handler"),
                    options.clock(),
                    this::emit));
    this.observation = new Observation(options.name(), table::walk);
    this.tracing = new Tracing(options.name(), options.clock()::nanoTime);
    this.measuring = new Measuring(table::walk);
    this.deadLetters = new DeadLetterLedger(this, options.clock(), wheel);
    this.heapWatch = new HeapWatch(this, options.heapGuard(), options.heapGauge());
    this.workers = scheduler instanceof Workers w ? w : null;
    this.carriers = options.directOnWorkers() && workers != null ? WorkerCarriers.find() : null;
    this.bodies =
        carriers == null && options.threads() == ThreadSource.jdk()
            ? new BodyWatch(
                this, options.name(), nanos(options.longHandler(), "duration of a long handler"))
            : null;
  }

  /**
   * Starts a node.
   *
   * @param options how
   * @return the node
   */
  public static LocalNode start(NodeOptions options) {
    Objects.requireNonNull(options, "options");
    Classes.initialize();
    LocalNode node = new LocalNode(options);
    node.wheel.start();
    FlightRecording.attach(node.measuring);
    node.heapWatch.start();
    if (node.bodies != null) {
      node.bodies.start();
    }
    node.warnOfJdk(Runtime.version());
    if (options.directOnWorkers() && node.carriers == null) {
      node.emit(
          new KernelEvent.OptionUnavailable(
              "directOnWorkers",
              "this JVM does not allow it; start it with --add-opens java.base/java.lang="
                  + (LocalNode.class.getModule().isNamed() ? "io.selvage.kernel" : "ALL-UNNAMED")
                  + ". Direct processes run on the JDK's scheduler"));
    }
    return node;
  }

  private void warnOfJdk(Runtime.Version version) {
    if (version.feature() == 25 && version.interim() == 0 && version.update() < 3) {
      emit(
          new KernelEvent.FaultyJdk(
              version.toString(),
              "virtual threads can lose a wake-up (JDK-8369227, in 25.0.0 to 25.0.2), so that processes may stop for"
                  + " ever: use 25.0.3 or newer"));
    }
  }

  // ---------------------------------------------------------------- for the kernel

  /** The process table. */
  public ProcessTable table() {
    return table;
  }

  /** Called when a direct process has been launched. */
  public void launched() {
    BodyWatch watch = bodies;
    if (watch != null) {
      watch.launched();
    }
  }

  /** Where the processes come from. */
  public Origins origins() {
    return origins;
  }

  /** What reports show. */
  public ReportOptions reports() {
    return options.reports();
  }

  /**
   * How the pid of a process of this node is written, whether it lives or not.
   *
   * @param id the id of the process
   * @return such as {@code <node.42.7>}
   */
  public String textOf(long id) {
    return "<" + options.name() + "." + ProcessTable.text(id) + ">";
  }

  /** The names. */
  public Names names() {
    return names;
  }

  /** Who wants events. */
  public Observation observation() {
    return observation;
  }

  /** Who is traced. */
  public Tracing tracing() {
    return tracing;
  }

  /** What is recorded. */
  public Measuring measuring() {
    return measuring;
  }

  /** The timers. */
  public TimerWheel wheel() {
    return wheel;
  }

  /** What runs event processes. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** The source of threads. */
  public ThreadSource threads() {
    return threads;
  }

  /** How to make virtual threads that the workers carry, or null. */
  public @Nullable WorkerCarriers carriers() {
    return carriers;
  }

  /**
   * Gives a process its turn, soon.
   *
   * @param task the process
   * @param runner the runner of the calling thread, or null
   */
  public void schedule(RunTask task, @Nullable Runner runner) {
    if (workers != null) {
      workers.schedule(task, runner);
    } else {
      scheduler.schedule(task);
    }
  }

  /**
   * Gives a process that has just had a turn the next one, after others.
   *
   * @param task the process
   * @param worker the worker it had its turn on, or null
   */
  public void scheduleLater(RunTask task, @Nullable Worker worker) {
    if (worker != null) {
      worker.later(task);
    } else {
      scheduler.schedule(task);
    }
  }

  /**
   * Counts a message that reached nobody, and tells who wants to know. Never throws.
   *
   * @param sender who sent it, or null
   * @param way how
   * @param receiver who should have got it; null if a thread that is no process
   * @param message the message
   * @param cause why not
   * @param mayReport whether the calling thread may run the node's sink; the timer's may not
   */
  public void deadLetter(
      @Nullable LocalProcess<?> sender,
      Way way,
      @Nullable Address<?> receiver,
      Object message,
      Cause cause,
      boolean mayReport) {
    deadLetters.count(sender, way, receiver, message, cause, mayReport);
    if (observation.wants(Observation.DEAD_LETTER) && !answersDeadLetter(sender)) {
      try {
        observation.tell(new KernelEvent.DeadLetter(sender, way, receiver, message, cause));
      } catch (OutOfMemoryError e) {
        // It is counted; a process that ends just now must go on to tell those linked with it.
        observation.missed(Observation.DEAD_LETTER);
      }
    }
  }

  // ---------------------------------------------------------------- marks

  /**
   * When the mailbox of a process is too long. Needs no memory, since it is asked when that may be
   * short.
   *
   * @param own the marks of the process's own, or null
   */
  public Marks marksOf(@Nullable Marks own) {
    Marks usual = own == null ? marks : own;
    Marks pressed = heapMarks;
    return pressed == null || usual.high() <= pressed.high() || isOff(usual) ? usual : pressed;
  }

  /** Whether marks hold nobody back, not even while the heap is nearly full. */
  public static boolean isOff(Marks marks) {
    return marks.high() == Integer.MAX_VALUE;
  }

  /**
   * A mailbox grows: looks whether the heap does, too. By the thread of a sender, now and then.
   *
   * @param receiver whose mailbox it is
   */
  public void hurry(LocalProcess<?> receiver) {
    heapWatch.hurry(receiver);
  }

  /** The marks, or the mark of the heap, have changed. Whoever is the last to come sees all. */
  void refreshMarks() {
    marksLock.acquire();
    try {
      int high = heapWatch.mark();
      heapMarks = high == NO_MARK ? null : underHeapMark(marks, high);
      highMark = marksOf(null).high();
    } finally {
      marksLock.release();
    }
  }

  /** The same, if no mark of the heap holds. */
  void refreshMarksIfRelaxed() {
    if (heapMarks == null) {
      refreshMarks();
    }
  }

  private static Marks underHeapMark(Marks usual, int high) {
    // Of one handler no more than of all together, or it would fill what is left of the heap.
    return new Marks(high, high / 2, Math.min(usual.most(), high), usual.bound());
  }

  /** The mark while the heap is nearly full; zero if it is not. */
  private int heapMark() {
    Marks pressed = heapMarks;
    return pressed == null ? 0 : pressed.high();
  }

  /** Counts a message that its sender was given back. */
  public void refused() {
    refused.increment();
  }

  /** Counts a sender that is held back. */
  public void muted() {
    mutes.increment();
  }

  /**
   * Whether the calling thread sends in answer to a dead letter that it was told of. To tell of
   * what becomes of that could go on for ever.
   */
  private static boolean answersDeadLetter(@Nullable LocalProcess<?> sender) {
    Runner runner = Runner.current();
    LocalProcess<?> here = runner == null ? null : runner.process;
    return here == null
        ? sender == null && FunctionOutlet.showsDeadLetter()
        : sender == here && here.handlesDeadLetter();
  }

  /**
   * A reply has reached nobody.
   *
   * @param sender who sent it, or null
   * @param receiver who had called; null if a thread that is no process
   * @param reply the reply
   */
  public void lateReply(
      @Nullable LocalProcess<?> sender, @Nullable LocalProcess<?> receiver, Object reply) {
    deadLetter(sender, Way.REPLY, receiver, reply, Cause.LATE, true);
  }

  /**
   * Reports a fault of the kernel.
   *
   * @param doing what it did
   * @param cause what was thrown
   */
  public void fault(String doing, Throwable cause) {
    try {
      options.events().accept(new KernelEvent.KernelFault(doing, cause));
    } catch (Throwable ignored) {
      // Most likely no memory for the event: the caller must go on.
    }
  }

  /**
   * Tells an event to whoever wants events.
   *
   * @param event the event
   */
  public void emit(KernelEvent event) {
    try {
      observation.tellToo(event);
      options.events().accept(event);
    } catch (Throwable ignored) {
      // What a sink throws must not end the process that had the event; see EventSink.
    }
  }

  /**
   * Counts a process that has ended.
   *
   * @param reason why
   */
  public void ended(ExitReason reason) {
    if (!reason.isOrderly()) {
      crashed.increment();
    }
    ended.increment();
  }

  /**
   * A process that has ended has told everybody who must know.
   *
   * @param process the process
   * @param reason why it ended
   * @param unread how many messages it left unread
   * @param crashed whether its own code ended it, otherwise than normal or shutdown
   * @param autopsy what a report tells of it, if that could be found out
   */
  public void toldOthers(
      LocalProcess<?> process,
      ExitReason reason,
      long unread,
      boolean crashed,
      @Nullable Autopsy autopsy) {
    if (crashed) {
      report(process, reason, unread, autopsy);
    }
    tellEnd(process, reason, unread);
    gone.increment();
    if (closing.get()) {
      ends.release();
    }
  }

  private void tellEnd(LocalProcess<?> process, ExitReason reason, long unread) {
    try {
      observation.ended(process, reason, unread);
    } catch (OutOfMemoryError e) {
      // The caller must go on to count the end.
    }
    if (measuring.recordsProcesses()) {
      measuring.recorder().ended(process, reason, unread);
    }
  }

  /** Reports a crash, with less detail if there is no memory for all. Never throws. */
  private void report(
      LocalProcess<?> process, ExitReason reason, long unread, @Nullable Autopsy autopsy) {
    CrashReport report = null;
    try {
      report = autopsy == null ? null : autopsy.report(reason, unread);
    } catch (Throwable failure) { // most likely no memory for all the texts
      report = null;
    }
    try {
      if (report == null) {
        report = Autopsy.least(process, reason, unread);
      }
      emit(new KernelEvent.ProcessCrashed(report));
    } catch (OutOfMemoryError e) {
      return; // a crash that is only counted
    }
  }

  /**
   * A duration in nanoseconds.
   *
   * @param duration the duration
   * @param what it is, for the error
   * @return the nanoseconds, at most {@link Long#MAX_VALUE}
   * @throws IllegalArgumentException if it is negative
   */
  public static long nanos(Duration duration, String what) {
    Objects.requireNonNull(duration, what);
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "the " + what + " is " + duration + ", but it must not be negative");
    }
    return TimeUnit.NANOSECONDS.convert(duration);
  }

  // ---------------------------------------------------------------- for users

  @Override
  public String name() {
    return options.name();
  }

  @Override
  public <M> Pid<M> spawn(Body<M> body, SpawnOptions<M> options) {
    StackReserve.ensure();
    return LocalProcess.spawn(this, body, Objects.requireNonNull(options, "options"));
  }

  @Override
  public <M> Pid<M> spawn(Behavior<M> behavior, SpawnOptions<M> options) {
    StackReserve.ensure();
    return LocalProcess.spawn(this, behavior, Objects.requireNonNull(options, "options"));
  }

  @Override
  public <M, A> StartResult<M, A> start(
      Init<M, A> init, Duration timeout, SpawnOptions<M> options) {
    StackReserve.ensure();
    return Handshake.start(this, null, init, timeout, options);
  }

  @Override
  public <M> StartResult<M, Pid<M>> start(
      Behavior<M> behavior, Duration timeout, SpawnOptions<M> options) {
    StackReserve.ensure();
    return Handshake.start(this, null, behavior, timeout, options);
  }

  @Override
  public <M> void register(Name<M> name, Pid<M> pid) {
    Objects.requireNonNull(name, "name");
    LocalProcess<M> process = (LocalProcess<M>) Objects.requireNonNull(pid, "pid");
    if (process.node != this) {
      throw new IllegalArgumentException(
          process + " lives at another node: register it there, not at \"" + options.name() + "\"");
    }
    StackReserve.ensure();
    names.register(name, process);
    observation.registered(name, process);
  }

  @Override
  public void unregister(Name<?> name) {
    Objects.requireNonNull(name, "name");
    StackReserve.ensure();
    names.unregister(name);
    observation.unregistered(name);
  }

  @Override
  @SuppressWarnings("unchecked") // whoever made the name has promised
  public <M> Optional<Pid<M>> whereis(Name<M> name) {
    return Optional.ofNullable((Pid<M>) names.find(name));
  }

  @Override
  public <M> void send(Name<M> name, M message) {
    Objects.requireNonNull(message, "message");
    HeldName hold = names.held(name);
    if (hold != null) {
      StackReserve.ensure();
      Runner runner = Runner.current();
      if (hold.offer(message, runner == null ? null : runner.process)) {
        return;
      }
    }
    whereis(name)
        .orElseThrow(() -> new IllegalArgumentException(Names.unknown(name)))
        .send(message);
  }

  @Override
  public List<Name<?>> registered() {
    StackReserve.ensure();
    return names.all();
  }

  @Override
  public Marks marks() {
    return marks;
  }

  @Override
  public void marks(Marks newMarks) {
    marks = Objects.requireNonNull(newMarks, "marks");
    refreshMarks();
  }

  @Override
  public void marks(Pid<?> pid, Marks newMarks) {
    local(pid).marks(Objects.requireNonNull(newMarks, "marks"));
  }

  @Override
  @SuppressWarnings("unchecked") // what was given to a Pid<M>
  public <M> Limits<M> limits(Pid<M> pid) {
    return (Limits<M>) local(pid).limits();
  }

  @Override
  public <M> void limits(Pid<M> pid, Limits<M> limits) {
    StackReserve.ensure();
    local(pid).limits(Objects.requireNonNull(limits, "limits"));
  }

  @Override
  public Groups groups() {
    return groups;
  }

  @Override
  public <T> Timer sendAfter(Duration delay, Address<T> target, T message) {
    return LocalProcess.sendAfter(this, delay, target, message);
  }

  @Override
  public long nanoTime() {
    return options.clock().nanoTime();
  }

  @Override
  public NodeStats stats() {
    StackReserve.ensure();
    long endedNow = ended.sum();
    long added = table.added();
    return new NodeStats(
        added - endedNow,
        added,
        endedNow,
        crashed.sum(),
        deadLetters.total() - deadLetters.count(Cause.LATE),
        deadLetters.count(Cause.UNREAD),
        deadLetters.count(Cause.LATE),
        Math.max(0, wheel.size() - deadLetters.timers()),
        names.size(),
        observation.size() + tracing.size(),
        observation.lost() + tracing.lost(),
        refused.sum(),
        deadLetters.count(Cause.EXPIRED),
        deadLetters.count(Cause.OVERLOADED),
        mutes.sum(),
        heapWatch.pressures(),
        heapMark());
  }

  @Override
  public DeadLetterStats deadLetters(int most) {
    if (most < 0) {
      throw new IllegalArgumentException(
          "the number of kinds of dead letters to list is " + most + ", but it must be 0 or more");
    }
    StackReserve.ensure();
    return deadLetters.stats(most);
  }

  // ---------------------------------------------------------------- watching: what there is

  private LocalProcess<?> local(Pid<?> pid) {
    LocalProcess<?> process = (LocalProcess<?>) Objects.requireNonNull(pid, "pid");
    if (process.node != this) {
      throw new IllegalArgumentException(
          process + " lives at another node: ask that one, not \"" + options.name() + "\"");
    }
    return process;
  }

  @Override
  public List<Pid<?>> processes() {
    StackReserve.ensure();
    return left();
  }

  @Override
  public Optional<ProcessInfo> info(Pid<?> pid, int most) {
    LocalProcess<?> process = local(pid);
    if (most < 0) {
      throw new IllegalArgumentException(
          "the number of links to name is " + most + ", but it must be 0 or more");
    }
    StackReserve.ensure();
    return Inspection.of(process, most);
  }

  @Override
  public Optional<Backlog> backlog(Pid<?> pid) {
    LocalProcess<?> process = local(pid);
    StackReserve.ensure();
    return Inspection.backlog(process);
  }

  @Override
  public List<StackTraceElement> stack(Pid<?> pid) {
    LocalProcess<?> process = local(pid);
    StackReserve.ensure();
    return Inspection.stack(process);
  }

  @Override
  public List<Ranked> top(Counter counter, int most) {
    Objects.requireNonNull(counter, "counter");
    StackReserve.ensure();
    return Ranking.of(table, most, process -> Inspection.counter(process, counter));
  }

  @Override
  public Baseline baseline(Counter counter) {
    Objects.requireNonNull(counter, "counter");
    StackReserve.ensure();
    return new CounterBaseline(table, counter);
  }

  @Override
  public Subscription subscribe(EventFilter filter, Consumer<? super KernelEvent> function) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(function, "function");
    StackReserve.ensure();
    return observation.subscribe(filter, function);
  }

  @Override
  public TraceSession trace(TraceOptions options, Consumer<? super TraceEvent> function) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(function, "function");
    StackReserve.ensure();
    return tracing.open(options, function);
  }

  /**
   * The thread that runs an event process at this moment, if one of the kernel's workers does.
   *
   * @param process the process
   * @return the thread, or null
   */
  public @Nullable Thread threadOf(EventProcess<?> process) {
    return workers == null ? null : RunningTurns.threadOf(workers, process);
  }

  /**
   * Where the handler of an event process is, if one of the kernel's workers runs it.
   *
   * @param process the process
   * @return the frames, or none
   */
  public StackTraceElement[] stackOf(EventProcess<?> process) {
    return workers == null ? new StackTraceElement[0] : RunningTurns.stackOf(workers, process);
  }

  @Override
  public boolean isClosing() {
    return closing.get(); // set before the first stripe is sealed: so after a refusal it is seen
  }

  @Override
  public void close() {
    Runner runner = Runner.current();
    boolean reports = runner == null || !isInside(runner);
    List<Pid<?>> left = close(options.closeTimeout());
    if (reports && !left.isEmpty()) {
      emit(new KernelEvent.CloseIncomplete(left));
    }
  }

  /** Whether the calling thread runs a process of this node. */
  private boolean isInside(Runner runner) {
    return runner.process != null && runner.process.node == this;
  }

  @Override
  public List<Pid<?>> close(Duration timeout) {
    long nanos = nanos(timeout, "timeout of close");
    StackReserve.ensure();
    Runner runner = Runner.current();
    boolean inside = runner != null && isInside(runner);
    if (!closing.compareAndSet(false, true)) {
      if (!inside) {
        awaitClosed(nanos);
      }
      return left();
    }
    table.seal();
    if (inside) {
      Thread.ofPlatform()
          .name("selvage-" + options.name() + "-close")
          .start(() -> closeAndReport(nanos));
      return left();
    }
    return finishClose(nanos);
  }

  private void closeAndReport(long nanos) {
    List<Pid<?>> left = finishClose(nanos);
    if (!left.isEmpty()) {
      emit(new KernelEvent.CloseIncomplete(left));
    }
  }

  private List<Pid<?>> finishClose(long nanos) {
    long begin = System.nanoTime();
    deadLetters.close(nanos / 4);
    signalAll(ExitReason.shutdown());
    boolean interrupted = awaitEnd(begin, nanos / 2);
    if (unended() > 0) {
      signalAll(ExitReason.kill());
      interrupted |= awaitEnd(begin, nanos);
    }
    List<Pid<?>> left = left();
    wheel.close();
    heapWatch.close();
    if (bodies != null) {
      bodies.close();
    }
    measuring.close();
    tracing.close();
    interrupted |= wheel.awaitThread(Math.max(0, nanos - (System.nanoTime() - begin)));
    deadLetters.closed(Math.max(0, nanos - (System.nanoTime() - begin)));
    observation.close();
    try {
      scheduler.close();
    } finally {
      closed.countDown();
    }
    if (workers != null && !interrupted) {
      interrupted = awaitThreads(workers, Math.max(0, nanos - (System.nanoTime() - begin)));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return left;
  }

  private static boolean awaitThreads(Workers workers, long nanos) {
    try {
      workers.awaitThreads(nanos);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** How many processes have not ended, or have not told others. */
  private long unended() {
    return table.added() - gone.sum();
  }

  /**
   * Waits until all processes have ended. Answers whether the thread was interrupted, which does
   * not end the wait.
   */
  private boolean awaitEnd(long begin, long nanos) {
    boolean interrupted = false;
    while (unended() > 0) {
      long left = nanos - (System.nanoTime() - begin);
      if (left <= 0) {
        break;
      }
      try {
        ends.tryAcquire(left, TimeUnit.NANOSECONDS);
        ends.drainPermits();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  private void awaitClosed(long nanos) {
    try {
      if (!closed.await(nanos, TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void signalAll(ExitReason reason) {
    table.walk(process -> process.exitByNode(reason));
  }

  private List<Pid<?>> left() {
    List<Pid<?>> left = new ArrayList<>();
    table.walk(left::add);
    return left;
  }
}
