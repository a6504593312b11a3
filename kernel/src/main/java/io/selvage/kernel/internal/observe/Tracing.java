package io.selvage.kernel.internal.observe;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Trace;
import io.selvage.kernel.TraceEvent;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.SpinLock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Which processes of a node are traced, by which sessions.
 *
 * <p>A traced process has a bit in its state word, among those that a sender looks at anyway in its
 * own and a receiver at the beginning of each receive. Only who finds it set asks here. The bit and
 * the entry change together under the lock; the hot readers take none.
 *
 * <p>A process that ends takes its entry out, after it has set its state to ending; a session that
 * chooses a process sets the bit, then looks whether it is ending, and takes the entry out itself
 * if so. One of the two sees the other, so nothing stays behind.
 */
public final class Tracing {
  /** One session's choice for one process. */
  private record Choice(LocalTraceSession session, Set<Trace> what, boolean children) {}

  private final String nodeName;
  private final LongSupplier clock;
  private final SpinLock lock = new SpinLock();

  /** The choices for each traced process, none empty. Written under the lock, read without it. */
  private final Map<LocalProcess<?>, List<Choice>> traced = new ConcurrentHashMap<>();

  /** Open sessions. Immutable. Written under the lock, read without. */
  private volatile Set<LocalTraceSession> sessions = Set.of();

  /** Entries that any session lost. */
  private final LongAdder lost = new LongAdder();

  /** Under the lock. */
  private boolean closed;

  /**
   * Nobody is traced yet.
   *
   * @param nodeName for the names of threads
   * @param clock the node's time
   */
  public Tracing(String nodeName, LongSupplier clock) {
    this.nodeName = nodeName;
    this.clock = clock;
  }

  // ---------------------------------------------------------------- sessions

  /** Opens a session whose sink is a function. */
  public LocalTraceSession open(TraceOptions options, Consumer<? super TraceEvent> function) {
    FunctionOutlet<TraceEvent> outlet =
        new FunctionOutlet<>(
            "selvage-" + nodeName + "-trace",
            options.capacity(),
            options.perSecond(),
            lost,
            TraceEvent.Lost::new,
            function);
    return open(outlet);
  }

  /** Opens a session whose sink is a process. */
  public LocalTraceSession open(
      TraceOptions options, LocalProcess<?> owner, Function<? super TraceEvent, ?> toMessage) {
    return open(
        new ProcessOutlet<>(
            owner, options.capacity(), options.perSecond(), lost, TraceEvent.Lost::new, toMessage));
  }

  private LocalTraceSession open(Outlet<TraceEvent> outlet) {
    LocalTraceSession session = new LocalTraceSession(this, outlet);
    outlet.whenClosed(() -> closed(session));
    LocalProcess<?> owner = outlet.owner();
    if (owner != null) {
      Observation.own(owner, outlet);
    }
    boolean entered = false;
    try {
      if (outlet instanceof FunctionOutlet<TraceEvent> function) {
        function.start();
      }
      entered = enter(session);
      if (!entered) {
        throw new IllegalStateException("the node is closed or closing: nothing can be traced");
      }
    } finally {
      if (!entered) { // closed, or no memory for a thread
        outlet.close();
      }
    }
    return session;
  }

  private boolean enter(LocalTraceSession session) {
    lock.acquire();
    try {
      if (!closed) {
        Set<LocalTraceSession> more = new HashSet<>(sessions);
        more.add(session);
        sessions = Set.copyOf(more);
      }
      return !closed;
    } finally {
      lock.release();
    }
  }

  void choose(
      LocalTraceSession session, LocalProcess<?> process, Set<Trace> what, boolean children) {
    lock.acquire();
    try {
      if (!sessions.contains(session)) {
        throw new IllegalStateException(
            "the trace session is closed: open another to trace " + process);
      }
      put(process, session, new Choice(session, what, children));
      if (process.isEnding()) {
        forget(process);
      }
    } finally {
      lock.release();
    }
  }

  /**
   * Forgets a session. Once it is out of the set it is given no more processes; so a walk without
   * the lock finds all it has, and nobody else has to wait for a long one.
   */
  private void closed(LocalTraceSession session) {
    lock.acquire();
    try {
      Set<LocalTraceSession> rest = new HashSet<>(sessions);
      rest.remove(session);
      sessions = Set.copyOf(rest);
    } finally {
      lock.release();
    }
    Choice none = new Choice(session, Set.of(), false);
    for (LocalProcess<?> process : traced.keySet()) {
      lock.acquire();
      try {
        put(process, session, none);
      } finally {
        lock.release();
      }
    }
  }

  /** How many sessions are open. */
  public int size() {
    return sessions.size();
  }

  /** How many entries sessions have lost. */
  public long lost() {
    return lost.sum();
  }

  /** Replaces a session's choice for a process. Under the lock. */
  private void put(LocalProcess<?> process, LocalTraceSession session, Choice choice) {
    List<Choice> choices = new ArrayList<>(traced.getOrDefault(process, List.of()));
    if (!choices.removeIf(c -> c.session == session) && choice.what.isEmpty()) {
      return;
    }
    if (!choice.what.isEmpty()) {
      choices.add(choice);
    }
    if (choices.isEmpty()) {
      forget(process);
    } else {
      traced.put(process, List.copyOf(choices));
      process.markTraced(true);
    }
  }

  /** Under the lock. */
  private void forget(LocalProcess<?> process) {
    if (traced.remove(process) != null) {
      process.markTraced(false);
    }
  }

  /** The node has closed: ends all sessions. */
  public void close() {
    Set<LocalTraceSession> all;
    lock.acquire();
    try {
      closed = true;
      all = sessions;
    } finally {
      lock.release();
    }
    all.forEach(LocalTraceSession::close);
  }

  // ---------------------------------------------------------------- what traced processes do

  private void tell(LocalProcess<?> process, Trace what, Function<Long, TraceEvent> event) {
    List<Choice> choices = traced.getOrDefault(process, List.of());
    TraceEvent made = null;
    for (Choice choice : choices) {
      if (choice.what.contains(what)) {
        try {
          if (made == null) {
            made = event.apply(clock.getAsLong());
          }
          choice.session.outlet.offer(made);
        } catch (OutOfMemoryError e) {
          choice.session.outlet.missed(); // the process must not be harmed by being looked at
        }
      }
    }
  }

  /** A traced process sends a message. */
  public void sent(LocalProcess<?> process, LocalProcess<?> to, Object message) {
    tell(process, Trace.SENDS, nanos -> new TraceEvent.Sent(process, nanos, to, message));
  }

  /** A traced process takes a message. */
  public void received(LocalProcess<?> process, Object message) {
    tell(process, Trace.RECEIVES, nanos -> new TraceEvent.Received(process, nanos, message));
  }

  /** A traced process has made another, which does not run yet. */
  public void spawned(LocalProcess<?> process, LocalProcess<?> child) {
    tell(process, Trace.SPAWNS, nanos -> new TraceEvent.Spawned(process, nanos, child));
    if (traced.getOrDefault(process, List.of()).stream().noneMatch(Choice::children)) {
      return;
    }
    lock.acquire();
    try {
      for (Choice choice : traced.getOrDefault(process, List.of())) {
        if (choice.children
            && sessions.contains(choice.session)
            && choice.session.outlet.owner() != child) {
          put(child, choice.session, choice);
        }
      }
      if (child.isEnding()) { // found in the table and killed, before it ran
        forget(child);
      }
    } finally {
      lock.release();
    }
  }

  /** A traced process has ended; its state is ending. */
  public void ended(LocalProcess<?> process, ExitReason reason) {
    try {
      tell(process, Trace.EXITS, nanos -> new TraceEvent.Ended(process, nanos, reason));
    } catch (OutOfMemoryError e) {
      // Not even for the function above. The process must go on to tell those linked with it.
    } finally {
      lock.acquire();
      try {
        forget(process);
      } finally {
        lock.release();
      }
    }
  }

  /** A traced process was linked. */
  public void linked(LocalProcess<?> process, LocalProcess<?> other) {
    tell(process, Trace.LINKS, nanos -> new TraceEvent.Linked(process, nanos, other));
  }

  /** A link of a traced process was removed. */
  public void unlinked(LocalProcess<?> process, LocalProcess<?> other) {
    tell(process, Trace.LINKS, nanos -> new TraceEvent.Unlinked(process, nanos, other));
  }

  static Set<Trace> copy(Set<Trace> what) {
    EnumSet<Trace> copy = EnumSet.noneOf(Trace.class);
    copy.addAll(what);
    return copy;
  }
}
