package io.selvage.kernel.internal.process;

import io.selvage.kernel.Address;
import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.Down;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Marks;
import io.selvage.kernel.MonitorAlias;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Monitored;
import io.selvage.kernel.MonitoredStart;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ProcessKey;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.RequestRef;
import io.selvage.kernel.Self;
import io.selvage.kernel.SendResult;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.Timer;
import io.selvage.kernel.TraceEvent;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.observe.Measuring;
import io.selvage.kernel.internal.observe.Observation;
import io.selvage.kernel.internal.observe.Recorder;
import io.selvage.kernel.internal.schedule.RunTask;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import io.selvage.kernel.spi.SystemMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process: its identity, its mailbox, and what it does to others. One object, which is also its
 * own {@link Pid} (others see that) and its own {@link Self} (its code sees that; every method
 * checks that it runs on the process's thread).
 *
 * <h2>The mailbox</h2>
 *
 * <pre>
 *   senders                                       owner (the thread that runs the process)
 *
 *   push:                                         fetch:
 *     do h = inbox                                  h = inbox
 *        if h == DEAD: refuse                       take the chain from h down to mark, turn it round
 *        s.next = h                                 mark = h
 *     until CAS(inbox, h, s)                        messages go to the unread list, all else acts at once
 *     if h == IDLE: wake the process              wait:
 *                                                   m = mark; mark = IDLE
 *                                                   if CAS(inbox, m, IDLE): give the thread away
 *                                                   else: mark = m, fetch
 * </pre>
 *
 * <p>The inbox is a stack of signals, newest first, and its lowest part, from {@code mark} on, has
 * been fetched. Fetching does not write the inbox at all: the fetched signals stay where they are,
 * and the mark says where they begin. The one compare-and-set at the end both takes them off and
 * announces that the process waits, and fails if something new lies on top. So a message costs the
 * sender one compare-and-set, and the receiver one for each time it waits, not for each message.
 *
 * <p>Why this and not a queue with two ends (Vyukov's, Michael and Scott's): those need a swap of
 * the tail and, beside it, a state word that says whether the process must be scheduled; the two
 * together cost one atomic operation more for each message, and the queue's stub node 24 bytes for
 * each idle process. What is lost: senders that collide retry instead of swapping, and the chain
 * must be turned round (each signal is touched once more, while it is in the cache).
 *
 * <p>One queue carries messages and all other signals, so that everything one sender does to one
 * receiver arrives in order. Fetching goes on between messages whenever the inbox has changed, so
 * an exit signal waits for the present message only, not for those unread.
 *
 * <p><b>Orderings.</b> The compare-and-set of {@code push} (release) pairs with the volatile read
 * in {@code fetch} (acquire): the receiver sees all that the sender did. The compare-and-set to
 * IDLE (release) pairs with the push that finds IDLE (acquire) and the scheduler's hand-over:
 * whoever runs the process next sees all that its last turn did, which is why every owner-only
 * field is plain.
 *
 * <h2>The life of a process</h2>
 *
 * <pre>
 *   new ── entered in the table ──► alive ── its code ended, or an exit signal ──► ending ── name free, table slot free ──► dead
 *
 *   ending: owner only. In this order: names and other possessions are freed; timers and monitors are released; the process is dead
 *           for others (isAlive is false, push refuses); what lay in the inbox is answered; links, monitors and calls are told.
 * </pre>
 *
 * @param <M> the messages the process accepts
 */
public abstract sealed class LocalProcess<M> extends RunTask implements Pid<M>, Self<M>
    permits EventProcess, DirectProcess {
  private static final VarHandle INBOX;
  private static final VarHandle STATE;
  private static final VarHandle ATTACHMENT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      INBOX = lookup.findVarHandle(LocalProcess.class, "inbox", Signal.class);
      STATE = lookup.findVarHandle(LocalProcess.class, "state", int.class);
      ATTACHMENT = lookup.findVarHandle(LocalProcess.class, "attachment", Attachment.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Senders look at a mailbox as a whole at one message of so many. A power of two. */
  private static final int LAP = 16;

  /** What a number has in its low bits when it is one at which senders look: zero. */
  private static final int LAP_BITS = LAP - 1;

  /** State bit: the process holds a name, or somebody is about to give it one. */
  private static final int NAMED = 1;

  /** State bit: the process is ending; it can take no name any more. */
  private static final int ENDING = 2;

  /** State bit: the process has limits, or had some. Set by anybody, never cleared. */
  private static final int LIMITED = 4;

  /**
   * State bit: an exit signal has been pushed; the process looks for it at its next kernel call.
   */
  private static final int SIGNALLED = 8;

  /**
   * State bit: an exit signal has come that seems to end the process; a handler that blocks is
   * interrupted. See {@link ExitSignal}.
   */
  private static final int CONDEMNED = 32;

  /** State bit: a trace session has chosen the process. Set under the lock of the tracing. */
  private static final int TRACED = 64;

  /** State bit: a recorder measures the process. Set by anybody, see {@link Measuring}. */
  private static final int MEASURED = 128;

  /** State bit: another thread is about to interrupt the thread of this process. */
  private static final int INTERRUPTING = 256;

  /** State bit: the process traps exits. Changed by the owner, read by senders of exit signals. */
  private static final int TRAPPING = 16;

  /** State bit: others have set timers that belong to the process. Never cleared. */
  private static final int TIMED_BY_OTHERS = 512;

  /** State bit: the code takes system messages. Set before the process is known to others. */
  private static final int MANAGED = 1024;

  /**
   * State bit: the process handles a dead letter that it was told of, until it takes its next
   * message. Set by the owner.
   */
  private static final int TOLD_DEAD_LETTER = 131072;

  /**
   * State bit: a receiver was over its high mark when this process sent to it; see {@link
   * Backpressure}. Owner only, as the next.
   */
  private static final int PRESSED = 2048;

  /** State bit: the process has been slowed, and is muted when it is pressed again. */
  private static final int SLOWED = 4096;

  /**
   * State bit: the process is muted, or about to be. Set by the owner, read by senders of exit
   * signals.
   */
  private static final int MUTED = 8192;

  /** State bit: the process holds senders back. Under the lock of its {@link Pressure}. */
  private static final int HOLDING = 16384;

  /** State bit: the process has marks of its own. Set by anybody. */
  private static final int OWN_MARKS = 32768;

  /**
   * State bit: the process waits for something that is not its mailbox, and not the reply to a
   * call. Owner only, read by senders.
   */
  private static final int ELSEWHERE = 65536;

  /** Fewer dropped messages than this are left where they are. */
  private static final int MANY_DROPPED = 1024;

  /** So many requests that nobody waits for any more are dropped before others get the thread. */
  private static final int MOST_LAPSED = 64;

  /** So many receivers that press a process are remembered at a time. */
  private static final int MOST_PRESSERS = 16;

  /** The bits for which taking a message goes the long way. */
  private static final int ATTENTIVE = TRACED | MEASURED | TOLD_DEAD_LETTER | PRESSED | HOLDING;

  /** Those of them for which observers are told. */
  private static final int LOOKS_UP = TRACED | MEASURED | TOLD_DEAD_LETTER;

  /** The node. */
  public final LocalNode node;

  /**
   * Unique at this node; its low bits are the slot in the process table. Set once, under the lock
   * of the table's stripe.
   */
  private long id;

  /** The newest signal; see above. Any thread, by compare-and-set. */
  @SuppressWarnings(
      "NullAway.Init") // set in the constructor, by a weaker write than a volatile one
  private volatile Signal inbox;

  /** The signal up to which the inbox has been fetched. Owner only; see the orderings above. */
  private Signal mark;

  /** The newest unread message, whose {@code next} is the oldest (a ring), or null. Owner only. */
  @Nullable Signal unread;

  /**
   * How many of the signals counted by the newest signal of the inbox are done with. Written by the
   * owner, read by anybody.
   */
  private int done;

  /**
   * With {@link #done}, how many signals this process has taken so far; may wrap around. Written by
   * the owner, once for each wait; read by observers.
   */
  private int handled;

  /** The bits above. Any thread, by compare-and-set. */
  private volatile int state;

  /**
   * Its links, and what else only some processes have; null if it has none of it. Who changes it,
   * and how, see {@link Attachment}.
   */
  volatile @Nullable Attachment attachment;

  /** The first timer of this process, or null. Guarded by the lock of the timer wheel. */
  public @Nullable TimerNode timers;

  LocalProcess(LocalNode node, boolean idle) {
    this.node = node;
    Signal sentinel = idle ? Signal.IDLE : Signal.BUSY;
    this.mark = sentinel;
    INBOX.setRelease(this, sentinel); // published by the table or by the first push
  }

  // ---------------------------------------------------------------- starting

  /**
   * Starts a process; see {@link io.selvage.kernel.Spawner}.
   *
   * @param <M> the messages it accepts
   * @param node its node
   * @param parent the process that starts it, or null
   * @param process the new process, which nobody knows yet
   * @param code the class of the code it was given
   * @param options its options
   * @param monitor makes a monitor of the parent on it, or null
   */
  static <M> Pid<M> start(
      LocalNode node,
      @Nullable LocalProcess<?> parent,
      LocalProcess<M> process,
      Class<?> code,
      SpawnOptions<M> options,
      @Nullable Monitor monitor) {
    if (options.predecessor() != null) {
      ensureLocal(options.predecessor(), node);
    }
    if (options.marks() != null) {
      process.marks(options.marks());
    }
    if (options.limits() != null) {
      process.limits(options.limits());
    }
    if (options.label() != null || options.trapExits() != null) {
      Extras extras = process.extras();
      extras.label = options.label();
      if (options.trapExits() != null) {
        extras.trap = options.trapExits();
        process.state |= TRAPPING;
      }
    }
    Link link = null;
    if (options.link()) {
      link = new Link(Objects.requireNonNull(parent), process);
      Links.begin(process, link);
    }
    if (monitor != null) {
      process.extras().addWatching(monitor);
    }
    Runner runner = Runner.current();
    // Asked now: an idle process may be found in the table, run and ended before it is launched.
    boolean launches = process.launches();
    // From here on the process is known to the node, and must be started whatever happens.
    node.table().add(process, node.origins().of(parent, code, launches));
    try {
      process.tellSpawned(parent, options);
      if (options.name() != null) {
        node.names().register(options.name(), process);
      }
      if (options.place() != null) {
        ((Enlisting<M>) options.place()).enlist(process);
      }
      if (link != null && parent != null) {
        Links.add(parent, link);
      }
      if (monitor != null) {
        monitor.owner.extras().addOwned(monitor);
      }
      process.tellEntered(parent, options, link != null);
    } catch (Throwable e) {
      process.abandon();
      throw e;
    }
    if (launches) {
      process.launch(runner);
    }
    return process;
  }

  /**
   * Tells observers of a new process, which has not run and is known to nobody who would use it. It
   * may still be refused its name: then its end is told at once.
   */
  private void tellSpawned(@Nullable LocalProcess<?> parent, SpawnOptions<M> options) {
    node.observation().spawned(this, parent, options.label());
    if (parent != null && (parent.state & TRACED) != 0) {
      node.tracing().spawned(parent, this);
    }
    Measuring measuring = node.measuring();
    if (measuring.recordsProcesses()) {
      measuring.recorder().spawned(parent, this);
    }
    if (measuring.measures()) {
      setState(MEASURED); // the walk that sets the others may have missed this one
    }
  }

  /** Tells observers what a new process has got. */
  private void tellEntered(
      @Nullable LocalProcess<?> parent, SpawnOptions<M> options, boolean linked) {
    Observation observation = node.observation();
    if (options.name() != null) {
      observation.registered(options.name(), this);
    }
    if (parent != null && linked) {
      observation.linked(parent, this);
      parent.traceLinked(this);
      traceLinked(parent);
    }
    if (options.predecessor() != null) {
      tellRestarted((LocalProcess<?>) options.predecessor(), options);
    }
  }

  private void tellRestarted(LocalProcess<?> predecessor, SpawnOptions<M> options) {
    node.observation().restarted(this, predecessor, options.label());
    if (node.measuring().recordsProcesses()) {
      node.measuring().recorder().restarted(predecessor, this);
    }
  }

  /** Ends a process that was entered in the table, but never ran. */
  private void abandon() {
    Link link = Links.poll(this);
    if (link != null) {
      Links.remove(link.other(this), link);
    }
    Extras x = extrasOrNull();
    if (x != null) {
      Monitor monitor = x.pollWatching();
      if (monitor != null) {
        monitor.owner.extras().removeOwned(monitor);
      }
    }
    terminate(ExitReason.normal());
  }

  /**
   * Whether the process must be given a turn or a thread at its beginning. Before it is known to
   * others.
   */
  private boolean launches() {
    return inbox == Signal.BUSY;
  }

  /**
   * Where a child of this process comes from. Owner only.
   *
   * @param code the class of the code of the child
   */
  public final Origin originOfChild(Class<?> code) {
    Extras x = extras();
    Origin last = x.childOrigin;
    if (last == null || last.code() != code) {
      last = Origin.of(this, node.origins().lineOf(this), code);
      x.childOrigin = last;
    }
    return last;
  }

  /** Starts the code of the process. */
  abstract void launch(@Nullable Runner runner);

  /** The code of this process, which nobody knows yet, takes system messages. */
  final void takeSystemMessages() {
    state |= MANAGED;
  }

  /** Whether the code of this process takes system messages. Any thread. */
  public final boolean takesSystemMessages() {
    return (state & MANAGED) != 0;
  }

  /** What takes the system messages of this process, once it has been set up. Owner only. */
  abstract SystemMessage.@Nullable Receiver receiver();

  /** Whether another process started this one. */
  final boolean isChildOf(LocalProcess<?> other) {
    long[] line = node.origins().lineOf(this);
    return line.length > 0 && other.node == node && line[0] == other.id;
  }

  private static void ensureLocal(Pid<?> predecessor, LocalNode node) {
    if (((LocalProcess<?>) predecessor).node != node) {
      throw new IllegalArgumentException(
          predecessor
              + " lived at another node, so no process of \""
              + node.name()
              + "\" can be its restart: leave restartOf() out");
    }
  }

  /** Spawns from a thread that is no process of the node, or does not act as one. */
  public static <M> Pid<M> spawn(LocalNode node, Body<M> body, SpawnOptions<M> options) {
    refuseLink(options);
    return start(node, null, direct(node, body, options), body.getClass(), options, null);
  }

  /** Spawns from a thread that is no process of the node, or does not act as one. */
  public static <M> Pid<M> spawn(LocalNode node, Behavior<M> behavior, SpawnOptions<M> options) {
    refuseLink(options);
    return start(
        node, null, event(node, behavior, options, false), Behaviors.code(behavior), options, null);
  }

  static void refuseLink(SpawnOptions<?> options) {
    if (options.link()) {
      throw new IllegalArgumentException(
          "a node cannot be linked with what it spawns: spawn from a process (self.spawn), or leave linked() out");
    }
  }

  static <M> LocalProcess<M> direct(LocalNode node, Body<M> body, SpawnOptions<M> options) {
    Objects.requireNonNull(body, "body");
    return new DirectProcess<>(node, body, options.thread() != SpawnOptions.Threading.PLATFORM);
  }

  static <M> LocalProcess<M> event(
      LocalNode node, Behavior<M> behavior, SpawnOptions<M> options, boolean monitored) {
    Objects.requireNonNull(behavior, "behavior");
    // If something may still fail after others can find the process, it must not run before that.
    boolean idle =
        options.name() == null
            && options.place() == null
            && !options.link()
            && !monitored
            && Behaviors.canBeginIdle(behavior);
    return switch (options.thread()) {
      case DEFAULT -> new EventProcess<>(node, behavior, idle);
      case VIRTUAL -> new DirectProcess<>(node, Behaviors.body(behavior), true);
      case PLATFORM -> new DirectProcess<>(node, Behaviors.body(behavior), false);
    };
  }

  @Override
  public final <C> Pid<C> spawn(Body<C> body, SpawnOptions<C> options) {
    ensureRunning();
    return start(node, this, direct(node, body, options), body.getClass(), options, null);
  }

  @Override
  public final <C> Pid<C> spawn(Behavior<C> behavior, SpawnOptions<C> options) {
    ensureRunning();
    return start(
        node, this, event(node, behavior, options, false), Behaviors.code(behavior), options, null);
  }

  @Override
  public final <C> Monitored<C> spawnMonitor(
      Body<C> body, Function<? super Down, ? extends M> toMessage, SpawnOptions<C> options) {
    ensureRunning();
    return startMonitored(direct(node, body, options), body.getClass(), toMessage, options);
  }

  @Override
  public final <C> Monitored<C> spawnMonitor(
      Behavior<C> behavior,
      Function<? super Down, ? extends M> toMessage,
      SpawnOptions<C> options) {
    ensureRunning();
    return startMonitored(
        event(node, behavior, options, true), Behaviors.code(behavior), toMessage, options);
  }

  private <C> Monitored<C> startMonitored(
      LocalProcess<C> child,
      Class<?> code,
      Function<? super Down, ? extends M> toMessage,
      SpawnOptions<C> options) {
    Monitor monitor =
        new Monitor(this, child, child, Objects.requireNonNull(toMessage, "toMessage"));
    return new Monitored<>(start(node, this, child, code, options, monitor), monitor);
  }

  @Override
  public final <C, A> StartResult<C, A> start(
      Init<C, A> init, Duration timeout, SpawnOptions<C> options) {
    ensureRunning();
    return Handshake.start(node, this, init, timeout, options);
  }

  @Override
  public final <C> StartResult<C, Pid<C>> start(
      Behavior<C> behavior, Duration timeout, SpawnOptions<C> options) {
    ensureRunning();
    return Handshake.start(node, this, behavior, timeout, options);
  }

  @Override
  public final <C, A> MonitoredStart<C, A> startMonitor(
      Init<C, A> init,
      Function<? super Down, ? extends M> toMessage,
      Duration timeout,
      SpawnOptions<C> options) {
    ensureRunning();
    return Handshake.startMonitor(this, init, toMessage, timeout, options);
  }

  @Override
  public final <C> MonitoredStart<C, Pid<C>> startMonitor(
      Behavior<C> behavior,
      Function<? super Down, ? extends M> toMessage,
      Duration timeout,
      SpawnOptions<C> options) {
    ensureRunning();
    return Handshake.startMonitor(this, behavior, toMessage, timeout, options);
  }

  // ---------------------------------------------------------------- signals in

  /**
   * Puts a signal into the inbox, and wakes the process if it waits.
   *
   * @param signal the signal, which nobody else knows
   * @param runner the runner of the calling thread, or null
   * @return false if the process has ended: then the caller still has the signal
   */
  final boolean push(Signal signal, @Nullable Runner runner) {
    while (true) {
      Signal top = inbox;
      if (top == Signal.DEAD) {
        return false;
      }
      signal.next = top;
      signal.count = top.count + 1;
      if (INBOX.weakCompareAndSet(this, top, signal)) {
        if (top == Signal.IDLE) {
          wake(runner);
        } else if (((top.count + 1) & LAP_BITS) == 0) {
          everyLap(top.count + 1);
        }
        return true;
      }
    }
  }

  /**
   * Puts a message into the inbox, wakes the process if it waits, and holds the sender back if the
   * mailbox is too long.
   *
   * @param message the message, which nobody else knows
   * @param sender who sends it, or null
   * @param runner the runner of the calling thread, or null
   * @return false if the process has ended: then the caller still has the message
   */
  final boolean pushMessage(
      Signal message, @Nullable LocalProcess<?> sender, @Nullable Runner runner) {
    while (true) {
      Signal top = inbox;
      if (top == Signal.DEAD) {
        return false;
      }
      int count = top.count + 1;
      message.next = top;
      message.count = count;
      if (INBOX.weakCompareAndSet(this, top, message)) {
        if (top == Signal.IDLE) {
          wake(runner);
        } else {
          if ((count & LAP_BITS) == 0) {
            everyLap(count); // first: to be held back is no part of a wait
          }
          if (count - done > node.highMark || (state & OWN_MARKS) != 0) {
            Backpressure.press(this, sender, runner);
          }
        }
        return true;
      }
    }
  }

  /** So many signals have been pushed that it is time to look at the whole. Any thread. */
  private void everyLap(int position) {
    int length = position - done;
    if (length < LAP) {
      return;
    }
    try {
      node.hurry(this);
      if ((position & WaitGauge.LAP_BITS) == 0 && length >= WaitGauge.SHORT && !isEnding()) {
        extras().waits().pushed(position, this);
      }
    } catch (OutOfMemoryError e) {
      return; // the signal has been pushed: its sender must not fail
    }
  }

  /** So many signals are done with that the wait of one may be over. Owner only. */
  private void passLap() {
    WaitGauge waits = waitsOrNull();
    if (waits != null) {
      waits.passed(this);
    }
  }

  /** How long messages wait in the mailbox; null if it was never long. Any thread. */
  final @Nullable WaitGauge waitsOrNull() {
    Extras x = extrasOrNull();
    return x == null ? null : x.waitsOrNull();
  }

  /** With how many signals of the present period the process is done. Any thread; may be stale. */
  final int done() {
    return done;
  }

  /** Stands for the time since the numbers of signals began anew. Any thread; may be stale. */
  final int period() {
    return handled;
  }

  /**
   * Puts a signal into the inbox without waking the process. The caller still has the signal if the
   * process has ended.
   *
   * @param signal the signal, which nobody else knows
   * @return whether the process waits, so that the caller must {@linkplain #wakeNow wake} it, soon
   */
  final boolean place(Signal signal) {
    while (true) {
      Signal top = inbox;
      if (top == Signal.DEAD) {
        return false;
      }
      signal.next = top;
      signal.count = top.count + 1;
      if (INBOX.weakCompareAndSet(this, top, signal)) {
        return top == Signal.IDLE;
      }
    }
  }

  /**
   * Wakes the process after {@link #place} asked for it; if that lacks memory, again and again.
   *
   * @param runner the runner of the calling thread, or null
   */
  final void wakeNow(@Nullable Runner runner) {
    while (true) {
      try {
        wake(runner);
        return;
      } catch (OutOfMemoryError e) {
        Thread.onSpinWait(); // any thread of the user's may be here, at any depth: no yield
      }
    }
  }

  /**
   * Makes the process run, after its wait was ended by a push.
   *
   * @param runner the runner of the calling thread, or null
   */
  abstract void wake(@Nullable Runner runner);

  @Override
  public final void send(M message) {
    Objects.requireNonNull(message, "message");
    Runner runner = Runner.current();
    LocalProcess<?> sender = null;
    if (runner == null) {
      StackReserve.ensure();
    } else {
      StackReserve.ensure(runner);
      sender = runner.process;
    }
    if ((state & LIMITED) != 0) {
      Limiting.send(this, messageOf(message, sender), runner, Limiting.Manner.SEND, 0);
    } else if (!pushMessage(messageOf(message, sender), sender, runner)) {
      node.deadLetter(sender, Way.SEND, this, message, Cause.ENDED, true);
    }
  }

  @Override
  public final SendResult trySend(M message) {
    Objects.requireNonNull(message, "message");
    Runner runner = Runner.current();
    LocalProcess<?> sender = null;
    if (runner == null) {
      StackReserve.ensure();
    } else {
      StackReserve.ensure(runner);
      sender = runner.process;
    }
    if (isOverHighMark()) {
      node.refused();
      return SendResult.REFUSED;
    }
    if ((state & LIMITED) != 0) {
      return Limiting.send(this, messageOf(message, sender), runner, Limiting.Manner.TRY, 0);
    }
    if (push(messageOf(message, sender), runner)) {
      return SendResult.SENT;
    }
    node.deadLetter(sender, Way.SEND, this, message, Cause.ENDED, true);
    return SendResult.ENDED;
  }

  /** A message to this process, of which observers of its sender are told. */
  final Message messageOf(Object message, @Nullable LocalProcess<?> sender) {
    return (sender == null ? node.measuring().measures() : sender.attends())
        ? attend(message, sender)
        : new Message(message, sender);
  }

  /**
   * Whether this process, which sends a message, must look up first: for an exit signal, or since
   * it is traced or measured. One read for all three, on the way of every message.
   */
  private boolean attends() {
    return (state & (SIGNALLED | TRACED | MEASURED)) != 0;
  }

  /** Makes the message of a sender that looks up. */
  private Message attend(Object message, @Nullable LocalProcess<?> sender) {
    if (sender != null) {
      sender.checkSignals();
      sender.traceSent(this, message);
    }
    Object delay = node.measuring().recorder().sent(message);
    return delay == null ? new Message(message, sender) : new TimedMessage(message, sender, delay);
  }

  /** Tells the trace of a message that this process sends. Owner only. */
  final void traceSent(LocalProcess<?> to, Object message) {
    if ((state & TRACED) != 0) {
      node.tracing().sent(this, to, message);
    }
  }

  @Override
  public final void exit(ExitReason reason) {
    Objects.requireNonNull(reason, "reason");
    StackReserve.ensure();
    Runner runner = Runner.current();
    LocalProcess<?> sender = runner == null ? null : runner.process;
    if (sender != null) {
      sender.checkSignals();
    }
    pushExit(new ExitSignal(sender, reason, null), runner);
    if (sender == this) {
      checkSignals();
    }
  }

  /**
   * Sends an exit signal in the name of nobody; for the node, whatever process its caller runs as.
   *
   * @param reason why
   */
  public final void exitByNode(ExitReason reason) {
    pushExit(new ExitSignal(null, reason, null), null);
  }

  /**
   * Puts an exit signal into the inbox, and makes the process look at it.
   *
   * @return false if the process has ended
   */
  final boolean pushExit(ExitSignal signal, @Nullable Runner runner) {
    if (!push(signal, runner)) {
      return false;
    }
    int before = setState(SIGNALLED);
    signal.arm(this);
    rouse();
    if ((before & MUTED) != 0) {
      releaseMute(runner);
    }
    return true;
  }

  /** Interrupts what the process does in foreign code, or sees to it. Any thread. */
  abstract void interrupt();

  /** Takes the interrupt back. Owner only. */
  final void takeInterruptBack() {
    Extras x = extras(); // first: this may lack memory
    clearInterrupt();
    x.interruptsTakenBack++;
  }

  /** Undoes {@link #interrupt}. Owner only. */
  abstract void clearInterrupt();

  /**
   * Wakes the process if it waits for something else than its mailbox, so that it looks at an exit
   * signal. Any thread.
   */
  private void rouse() {
    Extras x = extrasOrNull();
    Thread waiter = x == null ? null : x.waiter;
    if (waiter != null) {
      node.threads().unpark(waiter);
    }
  }

  final void condemn() {
    setState(CONDEMNED);
  }

  public final void reprieve() {
    clearState(CONDEMNED);
  }

  /**
   * Whether the process seems to have been ended by a signal that it has not looked at. Any thread.
   */
  public final boolean isCondemned() {
    return (state & CONDEMNED) != 0;
  }

  /** Whether the process traps exits, as far as another thread can tell. */
  final boolean isTrapping() {
    return (state & TRAPPING) != 0;
  }

  /** Whether an exit signal has come that the process has not looked at. */
  final boolean isSignalled() {
    return (state & SIGNALLED) != 0;
  }

  // ---------------------------------------------------------------- signals, seen by the owner

  /**
   * Fetches if there may be an exit signal: if it interrupted the code, it is why the code has
   * ended. Owner only.
   */
  final void fetchExit() {
    if (isSignalled()) {
      fetch();
    }
  }

  /** Takes what has come: messages to the unread list, all else acts. Owner only. */
  final void fetch() {
    int before;
    do {
      before = interruptsTakenBack();
      fetchOnce();
      // An interrupt that was taken back may have been that of a later signal, too: look for it.
    } while (interruptsTakenBack() != before && inbox != mark);
  }

  private int interruptsTakenBack() {
    Extras x = extrasOrNull();
    return x == null ? 0 : x.interruptsTakenBack;
  }

  private void fetchOnce() {
    Signal top = inbox;
    Signal oldest = null;
    for (Signal s = top; s != mark; ) {
      Signal before = Objects.requireNonNull(s.next);
      s.next = oldest;
      oldest = s;
      s = before;
    }
    mark = top;
    while (oldest != null) {
      Signal newer = oldest.next;
      oldest.next = null;
      done++;
      act(oldest);
      oldest = newer;
    }
  }

  /**
   * Lets a signal act; if that lacks memory, again and again. What acts changes nothing before
   * that.
   */
  private void act(Signal signal) {
    while (true) {
      try {
        signal.act(this);
        return;
      } catch (OutOfMemoryError e) {
        awaitMemory();
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // others may free some
  private static void awaitMemory() {
    Thread.yield();
  }

  /** Puts a message at the end of the unread list. Owner only. */
  final void unread(Signal message) {
    Signal last = unread;
    if (last == null) {
      message.next = message;
    } else {
      message.next = last.next;
      last.next = message;
    }
    unread = message;
    done--;
  }

  /** Takes the oldest unread message, or null. Owner only. */
  final @Nullable Signal poll() {
    while (true) {
      Signal last = unread;
      if (last == null) {
        return null;
      }
      Signal first = Objects.requireNonNull(last.next);
      if (first == last) {
        unread = null;
      } else {
        last.next = first.next;
      }
      first.next = null;
      if ((++done & WaitGauge.LAP_BITS) == 0) {
        passLap();
      }
      if ((state & LIMITED) == 0 || first.claim()) {
        return first;
      }
    }
  }

  /**
   * Takes a message out of the unread list. Owner only.
   *
   * @param signal the message
   * @param before the one before it in the list, or null if it is the oldest
   */
  final void takeOut(Signal signal, @Nullable Signal before) {
    Signal last = Objects.requireNonNull(unread);
    if (signal.next == signal) {
      unread = null;
    } else {
      Signal previous = before == null ? last : before;
      previous.next = signal.next;
      if (signal == last) {
        unread = previous;
      }
    }
    signal.next = null;
    if ((++done & WaitGauge.LAP_BITS) == 0) {
      passLap();
    }
  }

  /**
   * Puts messages in front of the unread list. Owner only.
   *
   * @param first the first of a chain of messages
   * @param end the last of it
   * @param count how many they are
   * @param behind the unread message behind which they come, or null for the very front
   */
  final void putInFront(Signal first, Signal end, int count, @Nullable Signal behind) {
    Signal last = unread;
    if (last == null) {
      end.next = first;
      unread = end;
    } else {
      Signal before = behind == null ? last : behind;
      end.next = before.next;
      before.next = first;
      if (behind == last) {
        unread = end;
      }
    }
    done -= count;
    extras().putInFront++;
  }

  /**
   * The unread message behind which one that is put back belongs: the last that was put back before
   * and is older. Owner only.
   *
   * @param from where to begin, or null for the very front
   * @param newest the newest that was put back before, and is unread
   * @param order the order of the one that is put back
   * @return the message, or null for the very front
   */
  final @Nullable Signal unreadBefore(@Nullable Signal from, Signal newest, long order) {
    if (from == newest) {
      return from;
    }
    Signal behind = from;
    Signal at = from == null ? Objects.requireNonNull(unread) : from;
    do {
      at = Objects.requireNonNull(at.next);
      if (at instanceof Stash.Stashed stashed) { // not one that has overtaken them by priority
        if (stashed.order() > order) {
          return behind;
        }
        behind = at;
      }
    } while (at != newest);
    return behind;
  }

  /** A message that was put aside and put back is being taken. Owner only. */
  final void takesPutBack(Object message, long order) {
    stashMade().takes(message, order);
  }

  /** How often messages have been put in front of the unread list. Owner only. */
  final int putInFront() {
    Extras x = extrasOrNull();
    return x == null ? 0 : x.putInFront;
  }

  /**
   * Fetches, then takes the oldest unread message, or null. After it the process may have been
   * ended; if it was not, and {@link #hasUnread} says so, there are more. Owner only.
   */
  final @Nullable Object nextMessage() {
    return (state & ATTENTIVE) != 0 ? nextAttentively() : nextAtOnce();
  }

  /** Whether messages are left that were fetched. Owner only. */
  final boolean hasUnread() {
    return unread != null;
  }

  /** The process begins to handle a request, or goes on with it. Owner only. */
  final void serves(Request request) {
    Runner runner = Runner.current();
    if (runner != null) {
      runner.serving = request;
    }
  }

  /** {@link #nextMessage} of a process that has something else to look after. */
  private @Nullable Object nextAttentively() {
    int present = state;
    if ((present & HOLDING) != 0) {
      Backpressure.relax(this);
    }
    if ((present & PRESSED) != 0) {
      return null; // the process has to give way first
    }
    return (present & LOOKS_UP) != 0 ? nextObserved() : nextAtOnce();
  }

  private @Nullable Object nextAtOnce() {
    Signal top = inbox;
    if (top != mark) {
      if (unread == null && top.next == mark) {
        // By far the most frequent case: one message for a process that had nothing to do.
        if (top.getClass() == Message.class) {
          mark = top;
          top.next = null;
          done++;
          return ((Message) top).content;
        }
        if (top.isMessageAtOnce(this)) {
          mark = top;
          top.next = null;
          done++;
          Object content = top.payload(this);
          if (content != null) {
            return content;
          }
        }
      }
      fetch();
      if (fate() != null) {
        return null;
      }
    }
    for (int left = MOST_LAPSED; left > 0; left--) {
      Signal signal = poll();
      if (signal == null) {
        return null;
      }
      Object content = signal.payload(this);
      if (content != null) {
        return content;
      }
    }
    return null; // there is more
  }

  /**
   * The content of a message that was taken out, of which observers are told; null if it was
   * dropped. Owner only.
   */
  final @Nullable Object taken(Signal signal) {
    if ((state & HOLDING) != 0) {
      Backpressure.relax(this);
    }
    return (state & LOOKS_UP) == 0 ? signal.payload(this) : observed(signal);
  }

  /** {@link #nextMessage} of a process that is traced or measured, or was told of a dead letter. */
  private @Nullable Object nextObserved() {
    endMeasuredHandler();
    fetch();
    if (fate() != null) {
      return null;
    }
    for (int left = MOST_LAPSED; left > 0; left--) {
      Signal signal = poll();
      if (signal == null) {
        return null;
      }
      Object content = observed(signal);
      if (content != null) {
        return content;
      }
    }
    return null; // there is more
  }

  private @Nullable Object observed(Signal signal) {
    if ((state & TOLD_DEAD_LETTER) != 0) {
      clearState(TOLD_DEAD_LETTER);
    }
    Object content = signal.payload(this);
    if (content == null) {
      return null;
    }
    if (!(signal instanceof NewsSignal) && (state & TRACED) != 0) {
      node.tracing().received(this, content); // not of what traces tell: it would never end
    }
    Recorder recorder = node.measuring().recorder();
    if (signal instanceof Timed timed) {
      recorder.taken(timed.recording(), this);
    }
    Object handling = recorder.handlerBegins(content);
    if (handling != null) {
      extras().handling = handling;
    }
    return content;
  }

  /** The message that the process takes just now tells it of a dead letter. Owner only. */
  final void takesDeadLetter() {
    setState(TOLD_DEAD_LETTER);
  }

  /** Whether the process handles a message that tells it of a dead letter. Owner only. */
  public final boolean handlesDeadLetter() {
    return (state & TOLD_DEAD_LETTER) != 0;
  }

  /** The code of this process is done with a message, if it is measured. Owner only. */
  final void endMeasuredHandler() {
    Extras x = extrasOrNull();
    if (x != null && x.handling != null) {
      Object handling = x.handling;
      x.handling = null;
      node.measuring().recorder().handlerEnds(handling, this);
    }
  }

  /**
   * Announces that the process waits. Owner only; if it answers true, the thread must not touch the
   * process any more unless it waits itself.
   *
   * @return false if something has come
   */
  final boolean beginWait() {
    Signal fetched = mark;
    int count = done;
    mark = Signal.IDLE;
    done = count - fetched.count; // zero, or less by those that a selective wait leaves unread
    handled += fetched.count;
    if (INBOX.compareAndSet(this, fetched, Signal.IDLE)) {
      if ((state & HOLDING) != 0) {
        Backpressure.releaseAll(this); // of which another thread may do the same
      }
      return true;
    }
    mark = fetched;
    done = count;
    handled -= fetched.count;
    return false;
  }

  /** Whether nothing has come since {@link #beginWait}. */
  final boolean stillWaits() {
    return inbox == Signal.IDLE;
  }

  /** Gives a wait up. Owner only, after {@link #beginWait}. Answers false if something has come. */
  final boolean endWait() {
    if (INBOX.compareAndSet(this, Signal.IDLE, Signal.BUSY)) {
      mark = Signal.BUSY;
      return true;
    }
    return false;
  }

  /**
   * Looks for exit signals if there may be one, in the middle of a handler or body.
   *
   * @throws ProcessEndedError if the process has been ended
   */
  final void checkSignals() {
    if ((state & SIGNALLED) != 0) {
      lookForExit();
    }
  }

  private void lookForExit() {
    if (fate() == null) {
      clearState(SIGNALLED);
      fetch();
    }
    ExitReason reason = fate();
    if (reason != null) {
      setState(SIGNALLED); // so that every later kernel call throws too
      throw new ProcessEndedError(reason);
    }
  }

  /**
   * Clears the interrupt status. Answers whether it was set by somebody else than an exit signal.
   */
  final boolean foreignInterrupt() {
    if (!Thread.interrupted()) {
      return false;
    }
    int before = interruptsTakenBack();
    checkSignals();
    return interruptsTakenBack() == before;
  }

  /** An exit signal ends the process. The first one counts. Owner only. */
  final void doom(ExitReason reason) {
    if (fate() == null) {
      seal(reason);
    }
  }

  /** Why an exit signal has ended the process, or null. Owner only. */
  abstract @Nullable ExitReason fate();

  /** Remembers why an exit signal has ended the process. Owner only. */
  abstract void seal(ExitReason reason);

  /** The process has ended: nothing can end it any more, and its code is let go. Owner only. */
  abstract void sealEnded();

  /** The reason with which a process ends whose code threw something. */
  final ExitReason reasonOf(Throwable failure) {
    ExitReason reason = fate();
    if (reason != null) {
      return reason;
    }
    return failure instanceof ExitException exit ? exit.reason() : new ExitReason.Crash(failure);
  }

  // ---------------------------------------------------------------- back-pressure, as a receiver

  /** Whether the mailbox is too long. Any thread. */
  final boolean isOverHighMark() {
    return isAlive() && observedLength() > marks().high();
  }

  /** When the mailbox is too long. Any thread. */
  final Marks marks() {
    return node.marksOf((state & OWN_MARKS) == 0 ? null : ownMarks());
  }

  /** Whether the mailbox may get as long as it likes. Any thread. */
  public final boolean isUnmarked() {
    return LocalNode.isOff(marks());
  }

  /** Gives the process marks of its own. Any thread. */
  public final void marks(Marks marks) {
    if (!isEnding()) {
      extras().marks = marks;
      setState(OWN_MARKS);
    }
  }

  /** The marks of its own, or null. Any thread. */
  public final @Nullable Marks ownMarks() {
    Extras x = extrasOrNull();
    return x == null ? null : x.marks;
  }

  /**
   * Whether the process waits for a message or an item, or has ended. Any thread; the owner sets
   * this before it looks at whom it holds back.
   */
  final boolean waitsOrHasEnded() {
    Signal top = inbox;
    return top == Signal.IDLE || top == Signal.DEAD || (state & ELSEWHERE) != 0;
  }

  /** The process is about to wait for an item that is not in its mailbox. Owner only. */
  final void beginWaitElsewhere() {
    setState(ELSEWHERE);
    if ((state & HOLDING) != 0) {
      Backpressure.releaseAll(this);
    }
  }

  /** It waits for that no more. Owner only. */
  final void endWaitElsewhere() {
    clearState(ELSEWHERE);
  }

  /**
   * Whom this process waits for: the one that holds it back, or the one that it has called. Any
   * thread; null if for none, as far as can be seen.
   */
  final @Nullable LocalProcess<?> waitsFor() {
    Extras x = extrasOrNull();
    if (x == null) {
      return null;
    }
    Mute mute = x.mute;
    if (mute != null) {
      return mute.receiver;
    }
    return x.waiter == null ? null : x.callee;
  }

  /** Whom this process holds back. Any thread. */
  final Pressure pressure() {
    return extras().pressure();
  }

  /** Whom this process holds back, or null if it never held anybody back. Any thread. */
  final @Nullable Pressure pressureOrNull() {
    Extras x = extrasOrNull();
    return x == null ? null : x.pressureOrNull();
  }

  /** Somebody is held back by this process. Under the lock of its {@link Pressure}. */
  final void beginHolding() {
    setState(HOLDING);
  }

  /** Nobody is held back by this process. Under the lock of its {@link Pressure}. */
  final void endHolding() {
    clearState(HOLDING);
  }

  /** Whether this process holds anybody back. Any thread. */
  final boolean isHolding() {
    return (state & HOLDING) != 0;
  }

  // ---------------------------------------------------------------- limits

  /** Whether the process has limits, or had some. Any thread. */
  final boolean isLimited() {
    return (state & LIMITED) != 0;
  }

  /** Gives the process limits. Any thread. */
  public final void limits(Limits<?> limits) {
    if (!isEnding() && (isLimited() || !limits.isEmpty())) {
      extras().limits(limits);
      setState(LIMITED);
    }
  }

  /** The limits. Any thread. */
  public final Limits<?> limits() {
    LimitSet set = limitSet();
    return set == null ? Limits.none() : set.limits;
  }

  /** The limits, with what counts for them now. Any thread. */
  final List<ProcessInfo.Limited> limited() {
    LimitSet set = limitSet();
    return set == null ? List.of() : set.info();
  }

  private @Nullable LimitSet limitSet() {
    Extras x = extrasOrNull();
    return x == null ? null : x.limits();
  }

  /** The limit that a message counts for, or null. Any thread. */
  final @Nullable LimitState limitOf(Object message) {
    LimitSet set = isLimited() ? limitSet() : null;
    return set == null ? null : set.of(message);
  }

  /**
   * What refuses requests by how long they have waited, or null. Any thread; what it does, owner.
   */
  final @Nullable AdmissionControl admission() {
    LimitSet set = isLimited() ? limitSet() : null;
    return set == null ? null : set.admission;
  }

  /** How many signals of the mailbox are messages that limits have dropped. Any thread. */
  private int dropped() {
    LimitSet set = limitSet();
    return set == null ? 0 : set.dropped.get();
  }

  /** Whether it is worth a walk to take out what limits have dropped. Owner only. */
  final boolean hasManyDropped() {
    if (!isLimited()) {
      return false;
    }
    int dropped = dropped();
    return dropped >= MANY_DROPPED
        && (dropped >= Limiting.MOST_DROPPED / 2 || dropped >= observedLength() / 8);
  }

  // ---------------------------------------------------------------- back-pressure, as a sender

  /**
   * A receiver is over its high mark. Owner only.
   *
   * @return whether the handler has sent so much to such receivers that it must wait at once
   */
  final boolean pressedBy(LocalProcess<?> receiver, Marks marks) {
    Extras x = extras();
    if (++x.pressedSends > marks.most()) {
      return true;
    }
    List<LocalProcess<?>> pressers = x.pressers;
    if (pressers == null) {
      pressers = new ArrayList<>(1);
      x.pressers = pressers;
    }
    if (pressers.size() < MOST_PRESSERS && !pressers.contains(receiver)) {
      pressers.add(receiver);
      setState(PRESSED);
    }
    return false;
  }

  /** Whether a receiver was over its high mark. Owner only. */
  final boolean isPressed() {
    return (state & PRESSED) != 0;
  }

  /** Takes notice of having been pressed the first time, which only slows. Owner only. */
  final boolean isSlowedOnly() {
    if ((state & SLOWED) != 0) {
      return false;
    }
    setState(SLOWED);
    clearState(PRESSED);
    Extras x = extras();
    x.pressers = null;
    x.pressedSends = 0;
    return true;
  }

  /** Takes the next receiver that has pressed this process, or answers null. Owner only. */
  final @Nullable LocalProcess<?> nextPresser() {
    Extras x = extras();
    List<LocalProcess<?>> pressers = x.pressers;
    if (pressers == null) {
      return null;
    }
    LocalProcess<?> presser = pressers.removeLast();
    if (pressers.isEmpty()) {
      x.pressers = null;
      x.pressedSends = 0;
      clearState(PRESSED | SLOWED);
    }
    return presser;
  }

  /** The owner is about to be muted. */
  final void beginMute(Mute mute) {
    extras().mute = mute;
    setState(MUTED);
  }

  /** The owner is muted no more. */
  final void endMute() {
    clearState(MUTED);
    extras().mute = null;
  }

  /** What this process is muted by, or null. Any thread. */
  final @Nullable Mute mute() {
    Extras x = extrasOrNull();
    return x == null ? null : x.mute;
  }

  /** Whether the process is muted, or about to be. */
  final boolean isMuted() {
    return (state & MUTED) != 0;
  }

  private void releaseMute(@Nullable Runner runner) {
    Mute mute = mute();
    if (mute != null) {
      mute.release(runner);
    }
  }

  // ---------------------------------------------------------------- state word

  private int setState(int bit) {
    return (int) STATE.getAndBitwiseOr(this, bit);
  }

  private void clearState(int bit) {
    STATE.getAndBitwiseAnd(this, ~bit);
  }

  /** Marks the process as named. Answers false if it is named already. */
  public final boolean claimName() {
    return (setState(NAMED) & NAMED) == 0;
  }

  /**
   * Remembers what holds the name of this process. By who has {@linkplain #claimName claimed} it.
   */
  public final void nameEntry(Possession entry) {
    if (!isEnding()) {
      extras().nameEntry = entry;
    }
  }

  /**
   * What holds the name of this process, or held the last; null if it never had one. Any thread.
   */
  public final @Nullable Possession nameEntry() {
    Extras x = extrasOrNull();
    return x == null ? null : x.nameEntry;
  }

  /** Marks the process as nameless. */
  public final void dropName() {
    clearState(NAMED);
  }

  /** Whether the process is ending or has ended, so that it can own nothing more. */
  public final boolean isEnding() {
    return (state & ENDING) != 0;
  }

  @Override
  public final boolean isAlive() {
    return inbox != Signal.DEAD;
  }

  // ---------------------------------------------------------------- what the process's own code
  // can do

  /** Checks that the calling thread runs this process, and that the process has not been ended. */
  public final void ensureRunning() {
    ensureOwnThread();
    checkSignals();
  }

  /** Checks that the calling thread runs this process, which may have been ended. */
  final void ensureOwnThread() {
    Runner runner = Runner.current();
    if (runner != null) {
      StackReserve.ensure(runner);
    }
    if (runner == null || runner.process != this) {
      throw new IllegalStateException(
          "this self belongs to "
              + this
              + ", which does not run on the calling thread: use self only inside the"
              + " process's own code, and hand out self.pid()");
    }
  }

  /** What only some processes have; made if it is not there. Any thread; see {@link Attachment}. */
  final Extras extras() {
    Attachment present = attachment;
    return present instanceof Extras x ? x : makeExtras(present);
  }

  private Extras makeExtras(@Nullable Attachment before) {
    Extras x = new Extras();
    Attachment present = before;
    while (true) {
      x.takeOver(present);
      Attachment found = (Attachment) ATTACHMENT.compareAndExchange(this, present, x);
      if (found == present) {
        return x;
      }
      if (found instanceof Extras other) {
        return other;
      }
      present = found;
    }
  }

  /** What only some processes have, or null. Any thread. */
  final @Nullable Extras extrasOrNull() {
    return attachment instanceof Extras x ? x : null;
  }

  /**
   * Changes the attachment; see {@link Attachment}. Owner only.
   *
   * @param before what the owner has found there, which is no {@code Extras}
   * @param after what it becomes
   * @return false if another thread has made {@code Extras} meanwhile
   */
  final boolean replaceAttachment(@Nullable Attachment before, @Nullable Attachment after) {
    return ATTACHMENT.compareAndSet(this, before, after);
  }

  /** The handshake, if the process was started with one and is not ready. Owner only. */
  final @Nullable Handshake<?> handshake() {
    Attachment present = attachment;
    if (present instanceof Extras x) {
      return x.handshake;
    }
    return present instanceof Handshake<?> starting ? starting : null;
  }

  // ---------------------------------------------------------------- possessions

  /**
   * Enters something that must go when this process ends. Any thread.
   *
   * @param possession what nobody has owned before
   * @return false if this process is ending or has ended: then it is not entered
   */
  public final boolean own(Possession possession) {
    return !isEnding() && extras().possessions().add(this, possession);
  }

  /**
   * Takes something back that this process owned. Any thread.
   *
   * @param possession the possession
   * @return false if it was not there: never entered, taken back, or about to be released
   */
  public final boolean disown(Possession possession) {
    Possessions all = possessions();
    return all != null && all.remove(possession);
  }

  /** How many names, entries, memberships and subscriptions this process owns. Any thread. */
  public final int owns() {
    Possessions all = possessions();
    return all == null ? 0 : all.size();
  }

  /** How many of them are subscriptions. Any thread. */
  public final int subscriptions() {
    Possessions all = possessions();
    return all == null ? 0 : all.subscriptions();
  }

  /**
   * Shows what this process owns, newest first, stopping nobody: all that it owned during the whole
   * walk, and perhaps some more. Any thread.
   *
   * @param visitor is shown each; runs under no lock
   */
  public final void walkPossessions(Consumer<? super Possession> visitor) {
    Possessions all = possessions();
    Possession p = all == null ? null : all.first();
    for (; p != null; p = p.nextOwned) {
      visitor.accept(p);
    }
  }

  private @Nullable Possessions possessions() {
    Extras x = extrasOrNull();
    return x == null ? null : x.possessionsOrNull();
  }

  private void releasePossessions() {
    Possessions all = possessions();
    if (all != null) {
      for (Possession p = all.poll(); p != null; p = all.poll()) {
        release(p);
      }
    }
  }

  private static void release(Possession possession) {
    while (true) {
      try {
        possession.release();
        return;
      } catch (OutOfMemoryError e) {
        awaitMemory();
      }
    }
  }

  private LocalProcess<?> local(Pid<?> pid) {
    LocalProcess<?> process = (LocalProcess<?>) Objects.requireNonNull(pid, "pid");
    if (process.node != node) {
      throw new IllegalArgumentException(
          process
              + " lives at another node than "
              + this
              + ": links and monitors between nodes do not exist yet");
    }
    return process;
  }

  @Override
  public final Pid<M> pid() {
    return this;
  }

  @Override
  public final Node node() {
    return node;
  }

  @Override
  public final void link(Pid<?> other) {
    LocalProcess<?> peer = local(other);
    ensureRunning();
    fetch(); // an exit of the peer that has come counts as its end, not as a link to remove
    checkFate();
    if (peer == this || Links.contains(this, peer)) {
      return;
    }
    Link link = new Link(this, peer);
    Links.add(this, link);
    Runner runner = Runner.current();
    // Told before, since the peer may unlink, or end, and that be told, as soon as it knows.
    boolean tells = peer.isAlive();
    if (tells) {
      node.observation().linked(this, peer);
    }
    if (peer.push(new LinkSignal(link), runner)) {
      traceLinked(peer);
      return;
    }
    if (tells) {
      node.observation().unlinked(this, peer);
    }
    Links.remove(this, link);
    if (!isTrapping()) {
      throw new ExitException(
          ExitReason.noProc(),
          peer
              + " cannot be linked with "
              + this
              + ", because it has ended: trap exits to get a message instead, or watch it with"
              + " monitor");
    }
    Link none = new Link(this, peer); // carries only the news
    Links.add(this, none);
    push(new ExitSignal(peer, ExitReason.noProc(), none), runner);
  }

  @Override
  public final void unlink(Pid<?> other) {
    LocalProcess<?> peer = local(other);
    ensureRunning();
    boolean stale = false;
    boolean linked = false;
    for (Link link : Links.remove(this, peer)) { // two, if both have linked at once
      linked = true;
      stale |= link.revoke();
      peer.push(new UnlinkSignal(link), Runner.current());
    }
    if (linked) {
      traceUnlinked(peer);
      node.observation().unlinked(this, peer);
    }
    if (stale) {
      fetch(); // the stale exit signal, and the interrupt that came with it
      checkFate();
    }
  }

  final void checkFate() {
    if (fate() != null) {
      setState(SIGNALLED);
      checkSignals();
    }
  }

  @Override
  public final MonitorRef monitor(
      Address<?> target, Function<? super Down, ? extends M> toMessage) {
    Objects.requireNonNull(toMessage, "toMessage");
    Objects.requireNonNull(target, "target");
    ensureRunning();
    LocalProcess<?> watched =
        switch (target) {
          case Pid<?> pid -> local(pid);
          case Name<?> name -> node.names().find(name);
        };
    Monitor monitor = new Monitor(this, watched, target, toMessage);
    extras().addOwned(monitor);
    Runner runner = Runner.current();
    if (watched == null || !watched.push(new MonitorSignal(monitor), runner)) {
      push(new DownSignal(monitor, ExitReason.noProc()), runner);
    }
    return monitor;
  }

  @Override
  public final void demonitor(MonitorRef monitor) {
    Monitor m = (Monitor) Objects.requireNonNull(monitor, "monitor");
    ensureRunning();
    drop(m);
  }

  final void drop(Monitor monitor) {
    if (monitor.owner != this || !monitor.owned) {
      return;
    }
    Signal signal = new DemonitorSignal(monitor); // first: this may lack memory
    extras().removeOwned(monitor);
    if (monitor.alias != null) {
      monitor.alias.monitorGone();
    }
    if (monitor.watched != null) {
      monitor.watched.push(signal, Runner.current());
    }
  }

  @Override
  public final void demonitorFlush(MonitorRef monitor) {
    Monitor m = (Monitor) Objects.requireNonNull(monitor, "monitor");
    ensureRunning();
    drop(m);
    removeUnread(m);
  }

  /**
   * Takes a message out of the mailbox that has not been received. Owner only.
   *
   * @param what the message itself, or the monitor whose news it is
   */
  final void removeUnread(Object what) {
    Signal last = unread;
    if (last == null) {
      return;
    }
    Signal before = last;
    do {
      Signal s = Objects.requireNonNull(before.next);
      if (s == what || (s instanceof DownSignal down && down.monitor == what)) {
        takeOut(s, before);
        return;
      }
      before = s;
    } while (before != last);
  }

  @Override
  public final void trapExits(Function<? super Exit, ? extends M> toMessage) {
    Objects.requireNonNull(toMessage, "toMessage");
    ensureRunning();
    fetch(); // what came before acts as it did before
    checkFate();
    extras().trap = toMessage;
    setState(TRAPPING);
  }

  @Override
  public final void untrapExits() {
    ensureRunning();
    fetch();
    checkFate();
    Extras x = extrasOrNull();
    if (x != null) {
      x.trap = null;
    }
    clearState(TRAPPING);
  }

  @Override
  public final Timer sendAfter(Duration delay, M message) {
    Objects.requireNonNull(message, "message");
    long nanos = LocalNode.nanos(delay, "delay of the timer");
    ensureRunning();
    return new Delivery.Own(this).carrying(message).set(nanos);
  }

  @Override
  public final <T> Timer sendAfter(Duration delay, Address<T> target, T message) {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(message, "message");
    long nanos = LocalNode.nanos(delay, "delay of the timer");
    ensureRunning();
    return Delivery.to(node, this, target).carrying(message).set(nanos);
  }

  @Override
  public final Timer startTimer(Duration delay, Function<? super Timer, ? extends M> toMessage) {
    return startTimer(delay, pid(), toMessage);
  }

  @Override
  public final <T> Timer startTimer(
      Duration delay, Address<T> target, Function<? super Timer, ? extends T> toMessage) {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(toMessage, "toMessage");
    long nanos = LocalNode.nanos(delay, "delay of the timer");
    ensureRunning();
    return Delivery.to(node, this, target).carryingMade(toMessage).set(nanos);
  }

  /** Sets a timer from a thread that is no process of the node, or does not act as one. */
  public static <T> Timer sendAfter(LocalNode node, Duration delay, Address<T> target, T message) {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(message, "message");
    long nanos = LocalNode.nanos(delay, "delay of the timer");
    StackReserve.ensure();
    return Delivery.to(node, null, target).carrying(message).set(nanos);
  }

  @Override
  public final Timer sendEvery(Duration pause, M message) {
    return startPeriodic(pause, "pause of the timer", message, false);
  }

  @Override
  public final Timer sendAtFixedRate(Duration period, M message) {
    return startPeriodic(period, "period of the timer", message, true);
  }

  private Timer startPeriodic(Duration period, String what, M message, boolean fixedRate) {
    Objects.requireNonNull(message, "message");
    long nanos = LocalNode.nanos(period, what);
    if (nanos == 0) {
      throw new IllegalArgumentException(
          "the " + what + " is zero: it would fire for ever at once; give more than zero");
    }
    ensureRunning();
    return new Periodic(this, message, nanos, fixedRate).start();
  }

  /**
   * Another thread is about to set a timer that belongs to this process; see {@link TimerWheel}.
   */
  final void expectTimersOfOthers() {
    if ((state & TIMED_BY_OTHERS) == 0) {
      setState(TIMED_BY_OTHERS);
    }
  }

  @Override
  public final void stash(M message) {
    Objects.requireNonNull(message, "message");
    ensureRunning();
    Runner runner = Runner.current();
    stashMade().add(this, message, runner == null ? null : runner.serving);
  }

  private Stash stashMade() {
    Extras x = extras();
    Stash stash = x.stash;
    if (stash == null) {
      stash = new Stash();
      x.stash = stash;
    }
    return stash;
  }

  @Override
  public final int unstashAll() {
    return unstash(Integer.MAX_VALUE);
  }

  @Override
  public final int unstash(int most) {
    if (most < 0) {
      throw new IllegalArgumentException(
          "the number of messages to put back is " + most + ", but it must not be negative");
    }
    ensureRunning();
    Extras x = extrasOrNull();
    return x == null || x.stash == null ? 0 : x.stash.putBack(this, most);
  }

  @Override
  public final int stashed() {
    ensureRunning();
    Extras x = extrasOrNull();
    return x == null || x.stash == null ? 0 : x.stash.size();
  }

  @Override
  public final void stashCapacity(int messages) {
    if (messages < 1) {
      throw new IllegalArgumentException(
          "the capacity of the stash is "
              + messages
              + ", but it is a number of messages: give 1 or more");
    }
    ensureRunning();
    stashMade().limit(messages);
  }

  @Override
  @SuppressWarnings("unchecked") // put under this key by put
  public final <V> @Nullable V get(ProcessKey<V> key) {
    Objects.requireNonNull(key, "key");
    ensureRunning();
    return (V) dictionary().get(key);
  }

  @Override
  @SuppressWarnings("unchecked") // put under this key by put
  public final <V> @Nullable V put(ProcessKey<V> key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    ensureRunning();
    Extras x = extras();
    Map<ProcessKey<?>, Object> changed = new LinkedHashMap<>(dictionary());
    Object before = changed.put(key, value);
    x.dictionary = Collections.unmodifiableMap(changed);
    return (V) before;
  }

  @Override
  @SuppressWarnings("unchecked") // put under this key by put
  public final <V> @Nullable V erase(ProcessKey<V> key) {
    Objects.requireNonNull(key, "key");
    ensureRunning();
    Map<ProcessKey<?>, Object> present = dictionary();
    if (!present.containsKey(key)) {
      return null;
    }
    Map<ProcessKey<?>, Object> changed = new LinkedHashMap<>(present);
    Object before = changed.remove(key);
    extras().dictionary = changed.isEmpty() ? null : Collections.unmodifiableMap(changed);
    return (V) before;
  }

  /**
   * What the process keeps in its dictionary, in the order in which the keys were first used; for
   * reports. Any thread. The answer does not change.
   */
  public final Map<ProcessKey<?>, Object> dictionary() {
    Extras x = extrasOrNull();
    Map<ProcessKey<?>, Object> present = x == null ? null : x.dictionary;
    return present == null ? Map.of() : present;
  }

  @Override
  public final void hibernate() {
    ensureRunning();
    Links.shrink(this);
    Extras x = extrasOrNull();
    if (x != null) {
      sweepCalls();
      if (x.stash != null && x.stash.isAsNew()) {
        x.stash = null;
      }
    }
  }

  @Override
  public final <R> R call(Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    return PendingCall.call(this, request, timeout);
  }

  // ---------------------------------------------------------------- asynchronous calls

  @Override
  public final <R> CompletionStage<R> callAsync(
      Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    return StageCall.call(this, request, timeout);
  }

  @Override
  public final <T, R> RequestRef request(
      Pid<T> target,
      Function<? super ReplyTo<R>, ? extends T> request,
      Duration timeout,
      Function<? super Outcome<R>, ? extends M> toMessage) {
    LocalProcess<T> process = (LocalProcess<T>) Objects.requireNonNull(target, "target");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(toMessage, "toMessage");
    long nanos = LocalNode.nanos(timeout, "timeout of the request");
    ensureRunning();
    Runner runner = Runner.current();
    long bound = Request.bound(runner, nanos);
    Request serving = runner == null ? null : runner.serving;
    MessageCall<R> call =
        new MessageCall<>(this, process, Request.shown(timeout, nanos, bound), toMessage, serving);
    call.begin(request, bound, runner);
    return call;
  }

  @Override
  public final Optional<Duration> timeLeft() {
    ensureRunning();
    Runner runner = Objects.requireNonNull(Runner.current());
    Request serving = runner.serving;
    return serving == null || runner.unbound ? Optional.empty() : serving.call.timeLeft();
  }

  @Override
  public final <R extends @Nullable Object> R withoutDeadline(Supplier<? extends R> action) {
    Objects.requireNonNull(action, "action");
    ensureRunning();
    Runner runner = Objects.requireNonNull(Runner.current());
    boolean before = runner.unbound;
    runner.unbound = true;
    try {
      return action.get();
    } finally {
      runner.unbound = before;
    }
  }

  /**
   * A call is over because this process has refused it: no signal, which would count. Owner only.
   */
  final void refusedCall() {
    OpenCalls calls = callsOrNull();
    if (calls != null && calls.over()) {
      calls.sweep();
    }
  }

  /** A call that this process was asked is over, without an answer. Any thread. */
  final void callOver() {
    OpenCalls calls = callsOrNull();
    if (calls != null && calls.over()) {
      try {
        push(new SweepSignal(), null); // if it has ended, it holds nothing
      } catch (OutOfMemoryError e) {
        calls.notSent(); // the next one tries again; who ends a call must not fail by this
      }
    }
  }

  /** What this process was asked and may not have answered; null before the first. Any thread. */
  final @Nullable OpenCalls callsOrNull() {
    Extras x = extrasOrNull();
    return x == null ? null : x.callsOrNull();
  }

  /** Lets go of the calls that are over. Owner only. */
  final void sweepCalls() {
    OpenCalls calls = callsOrNull();
    if (calls != null) {
      calls.sweep();
    }
  }

  /** How many calls this process holds that others have made to it. For tests; roughly. */
  final int heldCalls() {
    OpenCalls calls = callsOrNull();
    return calls == null ? 0 : calls.size();
  }

  // ---------------------------------------------------------------- aliases and priority

  @Override
  public final <T> Alias<T> alias(
      AliasOptions options, Function<? super T, ? extends M> toMessage) {
    Objects.requireNonNull(toMessage, "toMessage");
    AliasOptions.Mode mode = options.mode();
    if (mode == AliasOptions.Mode.DEMONITOR || mode == AliasOptions.Mode.REPLY_DEMONITOR) {
      throw new IllegalArgumentException(
          "an alias in mode "
              + mode
              + " ends with a monitor, and alias() makes none: use monitorWithAlias, or mode"
              + " EXPLICIT_UNALIAS or REPLY");
    }
    ensureRunning();
    return new ProcessAlias<>(this, options, toMessage);
  }

  @Override
  public final Alias<M> alias() {
    ensureRunning();
    return ProcessAlias.plain(this);
  }

  @Override
  public final boolean unalias(Alias<?> alias) {
    ProcessAlias<?> mine = (ProcessAlias<?>) Objects.requireNonNull(alias, "alias");
    ensureRunning();
    return mine.owner == this && mine.deactivate();
  }

  @Override
  public final <T> MonitorAlias<T> monitorWithAlias(
      Address<?> target,
      Function<? super Down, ? extends M> toMessage,
      AliasOptions options,
      Function<? super T, ? extends M> fromAlias) {
    Objects.requireNonNull(fromAlias, "fromAlias");
    if (options.mode() == AliasOptions.Mode.REPLY) {
      throw new IllegalArgumentException(
          "an alias of a monitor cannot be in mode REPLY, since its first message would leave the"
              + " monitor: use REPLY_DEMONITOR, or alias() for one without a monitor");
    }
    Monitor monitor = (Monitor) monitor(target, toMessage);
    ProcessAlias<T> alias = new ProcessAlias<>(this, options, fromAlias);
    alias.watch(monitor); // before its Down is fetched
    return new MonitorAlias<>(monitor, alias);
  }

  /**
   * Puts a priority message before the ordinary unread ones, behind earlier priority ones. Owner
   * only.
   */
  final void unreadFirst(AliasMessage<?> message) {
    Extras x = extras();
    Signal last = unread;
    Signal before = last == null ? null : lastPriority(x, last);
    // The newest of all, if it is no priority message, stands for the front of the ring.
    putInFront(message, message, 1, before == last && !isPriority(before) ? null : before);
    x.lastPriority = message;
  }

  /**
   * The newest unread priority message; if there is none, the newest message, behind which the ring
   * goes on with the oldest. Mostly it is remembered. If not, it stands among the oldest, unless
   * none is left.
   */
  private static Signal lastPriority(Extras x, Signal last) {
    Signal remembered = x.lastPriority;
    if (remembered != null && remembered.next != null) {
      return remembered;
    }
    Signal before = last;
    Signal s = Objects.requireNonNull(last.next);
    while (isPriority(s)) {
      before = s;
      if (s == last) {
        break;
      }
      s = Objects.requireNonNull(s.next);
    }
    return before;
  }

  private static boolean isPriority(@Nullable Signal signal) {
    return signal instanceof AliasMessage<?> message && message.priority;
  }

  // ---------------------------------------------------------------- the end

  /**
   * Ends the process. Owner only, once its code will not run any more.
   *
   * <p>An {@link OutOfMemoryError} on the way must not lose what has not been told yet: whatever is
   * taken out of a list is told again until it is told.
   */
  final void terminate(ExitReason reason) {
    Runner runner = Runner.current();
    // Looked at before anything is let go of. Not for an orderly end, nor for that of a process
    // which
    // an exit signal has ended: the crash was another's, and is reported there.
    boolean crashed = !reason.isOrderly() && fate() == null;
    Autopsy autopsy = crashed ? Autopsy.begin(this) : null;
    beginEnding();
    releasePossessions();
    node.wheel().cancelAll(this, (state & TIMED_BY_OTHERS) != 0); // read after ending was announced
    Handshake<?> starting = handshake();
    if (starting != null) {
      starting.ending();
    }
    Extras x = extrasOrNull();
    if (x != null) {
      for (Monitor m = x.pollOwned(); m != null; m = x.pollOwned()) {
        tell(Telling.WATCHED, m, reason, runner);
      }
    }
    endMeasuredHandler();
    if ((state & TRACED) != 0) {
      node.tracing().ended(this, reason);
    }
    node.table().remove(this);
    node.ended(reason);
    long unreadMessages = close(autopsy);
    if (isHolding()) {
      Backpressure.releaseAll(this);
    }
    x = extrasOrNull();
    if (x != null) {
      x.closeLimits();
      x.giveUpSentCalls();
    }
    for (Link l = Links.poll(this); l != null; l = Links.poll(this)) {
      if (l.fire()) {
        tell(Telling.LINKED, l, reason, runner);
        l.fired();
      }
    }
    if (x != null) {
      for (Monitor m = x.pollWatching(); m != null; m = x.pollWatching()) {
        tell(Telling.WATCHING, m, reason, runner);
      }
      OpenCalls calls = x.callsOrNull();
      if (calls != null) {
        calls.failAll(reason);
      }
    }
    if (starting != null) {
      starting.ended(reason);
    }
    node.toldOthers(this, reason, unreadMessages, crashed, autopsy);
    attachment = null; // whoever holds the pid holds no more than it must
  }

  /**
   * Refuses all signals from now on, and answers those in the inbox. Answers how many messages were
   * left unread, and shows the first of them to the autopsy, if there is one.
   */
  private long close(@Nullable Autopsy autopsy) {
    Signal top = (Signal) INBOX.getAndSet(this, Signal.DEAD);
    Signal oldest = null;
    for (Signal s = top; s != mark; ) {
      Signal before = Objects.requireNonNull(s.next);
      s.next = oldest;
      oldest = s;
      s = before;
    }
    mark = Signal.DEAD;
    sealEnded(); // exit signals that come now are too late
    while (oldest != null) {
      Signal newer = oldest.next;
      oldest.next = null;
      act(oldest);
      oldest = newer;
    }
    long messages = 0;
    for (Signal s = poll(); s != null; s = poll()) {
      if (s.isMessage()) {
        messages++;
        if (autopsy != null) {
          autopsy.sees(s);
        }
        node.deadLetter(s.sender(), s.way(), this, s.letter(), Cause.UNREAD, true);
      }
    }
    Extras x = extrasOrNull();
    Stash stash = x == null ? null : x.stash;
    if (stash != null) {
      for (Object content = stash.poll(); content != null; content = stash.poll()) {
        messages++;
        node.deadLetter(null, Way.STASH, this, content, Cause.UNREAD, true);
      }
    }
    return messages;
  }

  /** Whom the end of a process is told, by whom it concerns. */
  private enum Telling {
    /** A process that the ending one watched: it is not watched any more. */
    WATCHED,
    /** A process linked with the ending one. */
    LINKED,
    /** A process that watches the ending one. */
    WATCHING
  }

  private void tell(Telling telling, Object about, ExitReason reason, @Nullable Runner runner) {
    while (true) {
      try {
        tellOnce(telling, about, reason, runner);
        return;
      } catch (OutOfMemoryError e) {
        awaitMemory();
      }
    }
  }

  private void tellOnce(Telling telling, Object about, ExitReason reason, @Nullable Runner runner) {
    // No switch: its table would be a class of its own, first used when memory may be short.
    if (telling == Telling.LINKED) {
      Link link = (Link) about;
      LocalProcess<?> other = link.other(this);
      Extras x = extrasOrNull();
      Object last = x != null && other.takesSystemMessages() ? x.lastMessage : null;
      other.pushExit(new ExitSignal(this, reason, link, last), runner);
      return;
    }
    Monitor monitor = (Monitor) about;
    if (telling == Telling.WATCHING) {
      monitor.owner.push(new DownSignal(monitor, reason), runner);
    } else if (monitor.watched != null) {
      monitor.watched.push(new DemonitorSignal(monitor), runner);
    }
  }

  // ---------------------------------------------------------------- observers

  @Override
  public final Subscription subscribe(
      EventFilter filter, Function<? super KernelEvent, ? extends M> toMessage) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(toMessage, "toMessage");
    ensureRunning();
    return node.observation().subscribe(filter, this, toMessage);
  }

  @Override
  public final TraceSession trace(
      TraceOptions options, Function<? super TraceEvent, ? extends M> toMessage) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(toMessage, "toMessage");
    ensureRunning();
    return node.tracing().open(options, this, toMessage);
  }

  /**
   * Puts news into the mailbox. Any thread.
   *
   * @param toMessage makes the message, when it is taken
   * @param news what it is made from
   * @return false if the process has ended
   */
  public final boolean pushNews(Function<Object, ?> toMessage, Object news) {
    return push(new NewsSignal(this, NewsSignal.ALWAYS, toMessage, news), Runner.current());
  }

  /**
   * Sets or clears the mark of traced processes. Under the lock of the tracing.
   *
   * @param traced whether any session has chosen this process
   */
  public final void markTraced(boolean traced) {
    if (traced) {
      setState(TRACED);
    } else {
      clearState(TRACED);
    }
  }

  /**
   * Sets or clears the mark of measured processes. Any thread.
   *
   * @param measured whether messages and handlers are measured
   */
  public final void markMeasured(boolean measured) {
    if (measured) {
      setState(MEASURED);
    } else {
      clearState(MEASURED);
    }
  }

  /** Tells the trace of a new link. Owner only. */
  final void traceLinked(LocalProcess<?> other) {
    if ((state & TRACED) != 0) {
      node.tracing().linked(this, other);
    }
  }

  /** Tells the trace that a link is gone. Owner only. */
  final void traceUnlinked(LocalProcess<?> other) {
    if ((state & TRACED) != 0) {
      node.tracing().unlinked(this, other);
    }
  }

  // ---------------------------------------------------------------- interrupts against the end

  /**
   * From now on the process takes no name, and nobody interrupts its thread: whoever was about to
   * has done so when this returns. Owner only.
   */
  final void beginEnding() {
    setState(ENDING);
    while ((state & INTERRUPTING) != 0) {
      Thread.onSpinWait();
    }
  }

  /**
   * Interrupts a thread of this process, unless the process is ending: its thread then runs the
   * event sink and other code that is not the process's. Any thread.
   */
  final void interruptUnlessEnding(Thread thread) {
    while (true) {
      int present = state;
      if ((present & ENDING) != 0) {
        return;
      }
      if ((present & INTERRUPTING) == 0
          && STATE.compareAndSet(this, present, present | INTERRUPTING)) {
        break;
      }
      Thread.onSpinWait();
    }
    try {
      thread.interrupt();
    } finally {
      clearState(INTERRUPTING);
    }
  }

  // ---------------------------------------------------------------- seen by observers

  /**
   * How many signals wait to be taken: those counted by the newest, less those done with and those
   * that limits have dropped. Any thread. The owner sets {@code done} back just before it announces
   * a wait; an observer that reads between the two sees what was done long ago as waiting, so it
   * reads again.
   */
  public final int observedLength() {
    int length = observedLengthOnce();
    for (int again = 0; again < 3 && length > 1; again++) {
      length = Math.min(length, observedLengthOnce());
    }
    return isLimited() ? Math.max(0, length - dropped()) : length;
  }

  private int observedLengthOnce() {
    int finished = done;
    return Math.max(0, inbox.count - finished);
  }

  /**
   * Shows the oldest messages that have been fetched and not been taken, as far as another thread
   * can see; see {@link Census}.
   *
   * @param visitor is shown each
   * @param most how many steps at most
   */
  final void walkUnread(Consumer<? super Signal> visitor, int most) {
    Signal last = unread;
    Signal s = last == null ? null : last.next;
    for (int left = most; s != null && left > 0; left--) {
      visitor.accept(s);
      s = s == last ? null : s.next;
    }
  }

  /** Shows the newest signals that have not been fetched; see {@link #walkUnread}. */
  final void walkInbox(Consumer<? super Signal> visitor, int most) {
    Signal fetched = mark;
    Signal s = inbox;
    for (int left = most; left > 0 && s != null && s != fetched && !s.isSentinel(); left--) {
      visitor.accept(s);
      s = s.next;
    }
  }

  /** How many signals have been taken, up to 2^32. Any thread. */
  final long observedHandled() {
    return (handled + done) & 0xFFFF_FFFFL;
  }

  // ---------------------------------------------------------------- identity

  /** Called once by the process table. */
  public final void identify(long newId) {
    id = newId;
  }

  /** Unique at this node. */
  public final long id() {
    return id;
  }

  /** The label, or null. Any thread. */
  public final @Nullable String label() {
    Extras x = extrasOrNull();
    return x == null ? null : x.label;
  }

  @Override
  public final void label(String label) {
    Objects.requireNonNull(label, "label");
    ensureRunning();
    extras().label = label;
  }

  @Override
  public final List<String> ancestors() {
    ensureRunning();
    return node.origins().ancestors(this);
  }

  @Override
  public final String initialCall() {
    ensureRunning();
    return node.origins().initialCall(this);
  }

  /**
   * The class whose code the process would run next, for reports. Any thread; may be out of date.
   * Null if it has none that can be told.
   */
  public abstract @Nullable Class<?> presentCode();

  /** The state that the process keeps between messages, as far as the kernel knows it. Owner. */
  abstract @Nullable Object presentState();

  /**
   * Remembers, for the report, what the code was handling when it failed. Owner only. Lack of
   * memory costs the report this line and nothing else.
   */
  final void failedWith(@Nullable Object message) {
    try {
      extras().lastMessage = message;
    } catch (OutOfMemoryError e) {
      return; // it stays unknown
    }
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(id * 0x9E3779B97F4A7C15L);
  }

  @Override
  public final String toString() {
    return node.textOf(id);
  }
}
