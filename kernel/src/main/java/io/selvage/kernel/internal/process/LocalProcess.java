package io.selvage.kernel.internal.process;

import io.selvage.kernel.Address;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Monitored;
import io.selvage.kernel.MonitoredStart;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.Timer;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.schedule.RunTask;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
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
 *   ending: owner only. In this order: the name is freed; timers and monitors are released; the process is dead for others (isAlive
 *           is false, push refuses); what lay in the inbox is answered; links, monitors and calls are told.
 * </pre>
 *
 * @param <M> the messages the process accepts
 */
public abstract sealed class LocalProcess<M> extends RunTask implements Pid<M>, Self<M>
    permits EventProcess, DirectProcess {
  private static final VarHandle INBOX;
  private static final VarHandle STATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      INBOX = lookup.findVarHandle(LocalProcess.class, "inbox", Signal.class);
      STATE = lookup.findVarHandle(LocalProcess.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** State bit: the process holds a name. Set under the lock of the node's names. */
  private static final int NAMED = 1;

  /** State bit: the process is ending; it can take no name any more. */
  private static final int ENDING = 2;

  /**
   * State bit: an exit signal has been pushed; the process looks for it at its next kernel call.
   */
  private static final int SIGNALLED = 8;

  /**
   * State bit: an exit signal has come that seems to end the process; a handler that blocks is
   * interrupted. See {@link ExitSignal}.
   */
  private static final int CONDEMNED = 32;

  /** State bit: the process traps exits. Changed by the owner, read by senders of exit signals. */
  private static final int TRAPPING = 16;

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
  private @Nullable Signal unread;

  /**
   * How many of the signals counted by the newest signal of the inbox are done with. Written by the
   * owner, read by anybody.
   */
  private int done;

  /** The bits above. Any thread, by compare-and-set. */
  private volatile int state;

  /**
   * What only some processes have. Written by the owner; its field {@code waiter} is read by
   * others.
   */
  volatile @Nullable Extras extras;

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
    if (options.label() != null || options.trapExits() != null || options.mailboxLimit() != 0) {
      Extras extras = process.extras();
      extras.label = options.label();
      extras.mailboxLimit = options.mailboxLimit();
      if (options.trapExits() != null) {
        extras.trap = options.trapExits();
        process.state = TRAPPING;
      }
    }
    Link link = null;
    if (options.link()) {
      link = new Link(Objects.requireNonNull(parent), process);
      Extras extras = process.extras();
      extras.links.add(link);
      if (extras.handshake != null) {
        extras.handshake.link = link;
      }
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
      if (options.name() != null) {
        node.names().register(options.name(), process);
      }
      if (link != null && parent != null) {
        parent.extras().links.add(link);
      }
      if (monitor != null) {
        monitor.owner.extras().addOwned(monitor);
      }
    } catch (Throwable e) {
      process.abandon();
      throw e;
    }
    if (launches) {
      process.launch(runner);
    }
    return process;
  }

  /** Ends a process that was entered in the table, but never ran. */
  private void abandon() {
    Extras x = extras;
    if (x != null) {
      Link link = x.links.poll();
      if (link != null) {
        link.other(this).extras().links.remove(this, link);
      }
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
        options.name() == null && !options.link() && !monitored && Behaviors.canBeginIdle(behavior);
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
        }
        return true;
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
    StackReserve.ensure();
    Runner runner = Runner.current();
    LocalProcess<?> sender = null;
    if (runner != null) {
      sender = runner.process;
      if (sender != null) {
        sender.checkSignals();
      }
    }
    if (!push(new Message(message, sender), runner)) {
      node.undelivered(1);
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
    setState(SIGNALLED);
    signal.arm(this);
    rouse();
    return true;
  }

  /** Interrupts what the process does in foreign code, or sees to it. Any thread. */
  abstract void interrupt();

  /** Takes the interrupt back. Owner only. */
  final void takeInterruptBack() {
    clearInterrupt();
    extras().interruptsTakenBack++;
  }

  /** Undoes {@link #interrupt}. Owner only. */
  abstract void clearInterrupt();

  /**
   * Wakes the process if it waits for something else than its mailbox, so that it looks at an exit
   * signal. Any thread.
   */
  private void rouse() {
    Extras x = extras;
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
    return extras == null ? 0 : extras.interruptsTakenBack;
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
    done++;
    return first;
  }

  /**
   * Fetches, then takes the oldest unread message, or null. After it the process may have been
   * ended. Owner only.
   */
  final @Nullable Object nextMessage() {
    Signal top = inbox;
    if (top != mark) {
      if (unread == null && top.next == mark && top.getClass() == Message.class) {
        // By far the most frequent case: one message for a process that had nothing to do.
        mark = top;
        top.next = null;
        done++;
        return ((Message) top).content;
      }
      fetch();
      if (fate() != null) {
        return null;
      }
    }
    Signal signal = poll();
    return signal == null ? null : signal.payload(this);
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
    done = 0;
    if (INBOX.compareAndSet(this, fetched, Signal.IDLE)) {
      return true;
    }
    mark = fetched;
    done = count;
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

  // ---------------------------------------------------------------- state word

  private int setState(int bit) {
    return (int) STATE.getAndBitwiseOr(this, bit);
  }

  private void clearState(int bit) {
    STATE.getAndBitwiseAnd(this, ~bit);
  }

  /**
   * Marks the process as named. Under the lock of the node's names. Answers false if it is named
   * already.
   */
  public final boolean claimName() {
    return (setState(NAMED) & NAMED) == 0;
  }

  /** Marks the process as nameless. Under the lock of the node's names. */
  public final void dropName() {
    clearState(NAMED);
  }

  /** Whether the process is ending or has ended, so that it can take no name. */
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
  final void ensureRunning() {
    StackReserve.ensure();
    Runner runner = Runner.current();
    if (runner == null || runner.process != this) {
      throw new IllegalStateException(
          "this self belongs to "
              + this
              + ", which does not run on the calling thread: use self only inside the"
              + " process's own code, and hand out self.pid()");
    }
    checkSignals();
  }

  final Extras extras() {
    Extras x = extras;
    if (x == null) {
      x = new Extras(this);
      extras = x;
    }
    return x;
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
    if (peer == this || extras().links.contains(peer)) {
      return;
    }
    Link link = new Link(this, peer);
    extras().links.add(link);
    Runner runner = Runner.current();
    if (peer.push(new LinkSignal(link), runner)) {
      return;
    }
    extras().links.remove(peer, link);
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
    extras().links.add(none);
    push(new ExitSignal(peer, ExitReason.noProc(), none), runner);
  }

  @Override
  public final void unlink(Pid<?> other) {
    LocalProcess<?> peer = local(other);
    ensureRunning();
    boolean stale = false;
    for (Link link : extras().links.remove(peer)) {
      stale |= link.revoke();
      peer.push(new UnlinkSignal(link), Runner.current());
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

  private void drop(Monitor monitor) {
    if (monitor.owner == this && extras().removeOwned(monitor) && monitor.watched != null) {
      monitor.watched.push(new DemonitorSignal(monitor), Runner.current());
    }
  }

  @Override
  public final void demonitorFlush(MonitorRef monitor) {
    Monitor m = (Monitor) Objects.requireNonNull(monitor, "monitor");
    ensureRunning();
    drop(m);
    removeUnread(m);
  }

  private void removeUnread(Monitor monitor) {
    Signal last = unread;
    if (last == null) {
      return;
    }
    Signal before = last;
    do {
      Signal s = Objects.requireNonNull(before.next);
      if (s instanceof DownSignal down && down.monitor == monitor) {
        if (s == before) {
          unread = null;
        } else {
          before.next = s.next;
          if (s == last) {
            unread = before;
          }
        }
        s.next = null;
        done++;
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
    if (extras != null) {
      extras.trap = null;
    }
    clearState(TRAPPING);
  }

  @Override
  public final Timer sendAfter(Duration delay, M message) {
    Objects.requireNonNull(message, "message");
    long nanos = LocalNode.nanos(delay, "delay of the timer");
    ensureRunning();
    return node.wheel().schedule(nanos, new Delivery(this, message));
  }

  @Override
  public final <R> R call(Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    return PendingCall.call(this, request, timeout);
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
    // Looked at before anything is let go of; null for an orderly end.
    Autopsy autopsy = reason.isOrderly() ? null : Autopsy.begin(this);
    setState(ENDING);
    if ((state & NAMED) != 0) {
      node.names().release(this);
    }
    node.wheel().cancelAll(this);
    Extras x = extras;
    Handshake<?> starting = x == null ? null : x.handshake;
    if (starting != null) {
      starting.ending();
    }
    if (x != null) {
      for (Monitor m = x.pollOwned(); m != null; m = x.pollOwned()) {
        tell(Telling.WATCHED, m, reason, runner);
      }
    }
    node.table().remove(this);
    node.ended(reason);
    long unreadMessages = close(autopsy);
    x = extras;
    if (x != null) {
      for (Link l = x.links.poll(); l != null; l = x.links.poll()) {
        if (l.fire()) {
          tell(Telling.LINKED, l, reason, runner);
          l.fired();
        }
      }
      for (Monitor m = x.pollWatching(); m != null; m = x.pollWatching()) {
        tell(Telling.WATCHING, m, reason, runner);
      }
      x.calls.failAll(reason);
    }
    if (starting != null) {
      starting.ended(reason);
    }
    node.toldOthers(this, reason, unreadMessages, autopsy);
    extras = null; // whoever holds the pid holds no more than it must
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
      }
    }
    node.undelivered(messages);
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
      link.other(this).pushExit(new ExitSignal(this, reason, link), runner);
      return;
    }
    Monitor monitor = (Monitor) about;
    if (telling == Telling.WATCHING) {
      monitor.owner.push(new DownSignal(monitor, reason), runner);
    } else if (monitor.watched != null) {
      monitor.watched.push(new DemonitorSignal(monitor), runner);
    }
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
    Extras x = extras;
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

  /** The name it is registered under, or null. */
  final @Nullable String registeredName() {
    return (state & NAMED) == 0 ? null : node.names().textOf(this);
  }

  /** About how many messages and other signals wait. Any thread. */
  final long roughlyWaiting() {
    Signal top = inbox;
    return Math.max(0, top.count - done);
  }

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

  /** A message on its way through time. */
  private static final class Delivery extends TimerNode {
    private final LocalProcess<?> process;
    private final Object message;

    Delivery(LocalProcess<?> process, Object message) {
      this.process = process;
      this.message = message;
    }

    @Override
    protected LocalProcess<?> owner() {
      return process;
    }

    @Override
    protected TimerWheel wheel() {
      return process.node.wheel();
    }

    @Override
    protected void fire() {
      if (!process.push(this, null)) {
        process.node.undelivered(1);
      }
    }

    @Override
    protected void act(LocalProcess<?> self) {
      self.unread(this);
    }

    @Override
    protected boolean isMessage() {
      return true;
    }

    @Override
    protected Object payload(LocalProcess<?> self) {
      return message;
    }

    @Override
    protected Object shown() {
      return message;
    }
  }
}
