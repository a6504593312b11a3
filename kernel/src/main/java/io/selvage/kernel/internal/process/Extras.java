package io.selvage.kernel.internal.process;

import io.selvage.kernel.Address;
import io.selvage.kernel.Exit;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Marks;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessKey;
import io.selvage.kernel.spi.SystemMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What only some processes have. Made when first needed. Owner thread only, but for the fields that
 * say otherwise.
 */
final class Extras extends Attachment {
  private static final VarHandle POSSESSIONS;
  private static final VarHandle PRESSURE;
  private static final VarHandle LIMITS;
  private static final VarHandle WAITS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      POSSESSIONS = lookup.findVarHandle(Extras.class, "possessions", Possessions.class);
      PRESSURE = lookup.findVarHandle(Extras.class, "pressure", Pressure.class);
      LIMITS = lookup.findVarHandle(Extras.class, "limits", LimitSet.class);
      WAITS = lookup.findVarHandle(Extras.class, "waits", WaitGauge.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The only link, or null. See {@link Links}. */
  @Nullable Link link;

  /** All links, as soon as there was more than one; then {@link #link} is null. */
  volatile @Nullable LinkTable linkTable;

  /**
   * The calls that this process has been asked; null before the first. Written by the owner, read
   * by who ends a call.
   */
  private volatile @Nullable OpenCalls calls;

  /** Turns exit signals into messages, if they are trapped. */
  @Nullable Function<? super Exit, ?> trap;

  /** For reports. Written by the owner, read by any thread. */
  volatile @Nullable String label;

  /**
   * The handshake of a process that was started with one and has not said that it is ready, but has
   * something else, too.
   */
  @Nullable Handshake<?> handshake;

  /** The origin of the children spawned last, so that those of one kind share it. */
  @Nullable Origin childOrigin;

  /** What it was handling when its code failed. */
  @Nullable Object lastMessage;

  /**
   * The thread that runs this process and waits inside a kernel call, to be woken by exit signals.
   * Written by the owner, read by senders: the owner writes it, then looks for signals; a sender
   * marks the process, then reads it (both volatile), so one of them sees the other.
   */
  volatile @Nullable Thread waiter;

  /** How many interrupts that came with exit signals were taken back; see {@link ExitSignal}. */
  int interruptsTakenBack;

  /** What holds the name of the process, or held the last. Any thread. */
  volatile @Nullable Possession nameEntry;

  /** What the process owns, or null if it never owned anything. Any thread. */
  private volatile @Nullable Possessions possessions;

  /** Whom the process holds back, or null if it never held anybody back. Any thread. */
  private volatile @Nullable Pressure pressure;

  /** How long messages wait in the mailbox, or null if it was never long. Any thread. */
  private volatile @Nullable WaitGauge waits;

  /** The receivers that have pressed this process, until it has given way; not empty. */
  @Nullable List<LocalProcess<?>> pressers;

  /** How many messages it has sent since to receivers that were over their high marks. */
  int pressedSends;

  /** While this process is held back. Written by the owner, read by any thread. */
  volatile @Nullable Mute mute;

  /** When its mailbox is too long, if it has marks of its own. Any thread. */
  volatile @Nullable Marks marks;

  /** Its limits, or null if it never had any. Any thread. */
  private volatile @Nullable LimitSet limits;

  /** The calls that this process has made by {@code request}; null before the first. */
  private @Nullable SentCalls sentCalls;

  /** How many active aliases this process has. */
  int aliases;

  /**
   * The newest priority message that has not been received; null if there is none, or if messages
   * before it were received out of turn. See {@link LocalProcess#unreadFirst}.
   */
  @Nullable AliasMessage<?> lastPriority;

  /** The messages put aside, or null. */
  @Nullable Stash stash;

  /**
   * The process dictionary, or null. Written by the owner, read by any thread that makes a report.
   */
  volatile @Nullable Map<ProcessKey<?>, Object> dictionary;

  /** What takes system messages, in a behavior that runs on a thread of its own. */
  SystemMessage.@Nullable Receiver receiver;

  /** How often messages have been put in front of the unread list; see {@link Scan}. */
  int putInFront;

  /** The monitors that this process holds. */
  private @Nullable Monitor owned;

  /** The monitors that others hold on this process. */
  private @Nullable Monitor watching;

  // Written by the owner, read by observers: how long the two lists are.
  private int ownedCount;
  private int watchingCount;

  /**
   * The process that is called while {@link #waiter} is set. Written by the owner, read by
   * observers.
   */
  @Nullable LocalProcess<?> callee;

  /**
   * The process in whose mailbox this one waits for room, under a limit. Written by the owner, read
   * by observers.
   */
  @Nullable LocalProcess<?> roomAt;

  /** The recording of the message that is being handled, if handlers are measured. Owner only. */
  @Nullable Object handling;

  /**
   * Takes over what a process has that has no {@code Extras}; see {@link Attachment}. Before this
   * is known to others.
   */
  void takeOver(@Nullable Attachment before) {
    link = link(before);
    handshake = before instanceof Handshake<?> starting ? starting : null;
  }

  /** The calls that this process has been asked; null before the first. Any thread. */
  @Nullable OpenCalls callsOrNull() {
    return calls;
  }

  /** The calls that this process has been asked. */
  OpenCalls calls() {
    OpenCalls open = calls;
    if (open == null) {
      open = new OpenCalls();
      calls = open;
    }
    return open;
  }

  /** What the process owns, or null. Any thread. */
  @Nullable Possessions possessionsOrNull() {
    return possessions;
  }

  /** What the process owns. Any thread. */
  Possessions possessions() {
    Possessions p = possessions;
    if (p == null) {
      p = new Possessions();
      Possessions other = (Possessions) POSSESSIONS.compareAndExchange(this, null, p);
      return other == null ? p : other;
    }
    return p;
  }

  /** Whom the process holds back, or null. Any thread. */
  @Nullable Pressure pressureOrNull() {
    return pressure;
  }

  /** Whom the process holds back. Any thread. */
  Pressure pressure() {
    Pressure p = pressure;
    if (p == null) {
      p = new Pressure();
      Pressure other = (Pressure) PRESSURE.compareAndExchange(this, null, p);
      return other == null ? p : other;
    }
    return p;
  }

  /** How long messages wait in the mailbox, or null. Any thread. */
  @Nullable WaitGauge waitsOrNull() {
    return waits;
  }

  /** How long messages wait in the mailbox. Any thread. */
  WaitGauge waits() {
    WaitGauge w = waits;
    if (w == null) {
      w = new WaitGauge();
      WaitGauge other = (WaitGauge) WAITS.compareAndExchange(this, null, w);
      return other == null ? w : other;
    }
    return w;
  }

  /** The limits, or null. Any thread. */
  @Nullable LimitSet limits() {
    return limits;
  }

  /** Replaces the limits. Any thread. */
  void limits(Limits<?> newLimits) {
    while (true) {
      LimitSet before = limits;
      LimitSet after =
          new LimitSet(newLimits, before == null ? new AtomicInteger() : before.dropped);
      if (LIMITS.compareAndSet(this, before, after)) {
        if (before != null) {
          before.close();
        }
        return;
      }
    }
  }

  /** Nobody waits for room in the mailbox any more. */
  void closeLimits() {
    LimitSet present = limits;
    if (present != null) {
      present.close();
    }
  }

  SentCalls sentCalls() {
    SentCalls sent = sentCalls;
    if (sent == null) {
      sent = new SentCalls();
      sentCalls = sent;
    }
    return sent;
  }

  /** Gives up the calls that this process has made. */
  void giveUpSentCalls() {
    if (sentCalls != null) {
      sentCalls.giveUpAll();
    }
  }

  /** A message through an alias was received. */
  void priorityTaken(AliasMessage<?> message) {
    if (lastPriority == message) {
      lastPriority = null;
    }
  }

  void addOwned(Monitor monitor) {
    monitor.owned = true;
    ownedCount++;
    monitor.nextOwned = owned;
    if (owned != null) {
      owned.previousOwned = monitor;
    }
    owned = monitor;
  }

  /** Answers whether the monitor was there. */
  boolean removeOwned(Monitor monitor) {
    if (!monitor.owned) {
      return false;
    }
    monitor.owned = false;
    ownedCount--;
    Monitor previous = monitor.previousOwned;
    Monitor next = monitor.nextOwned;
    if (previous == null) {
      owned = next;
    } else {
      previous.nextOwned = next;
    }
    if (next != null) {
      next.previousOwned = previous;
    }
    monitor.previousOwned = null;
    monitor.nextOwned = null;
    return true;
  }

  /** Takes out any monitor that this process holds, or null. */
  @Nullable Monitor pollOwned() {
    Monitor first = owned;
    if (first != null) {
      removeOwned(first);
    }
    return first;
  }

  void addWatching(Monitor monitor) {
    monitor.watching = true;
    watchingCount++;
    monitor.nextWatching = watching;
    if (watching != null) {
      watching.previousWatching = monitor;
    }
    watching = monitor;
  }

  void removeWatching(Monitor monitor) {
    if (!monitor.watching) {
      return;
    }
    monitor.watching = false;
    watchingCount--;
    Monitor previous = monitor.previousWatching;
    Monitor next = monitor.nextWatching;
    if (previous == null) {
      watching = next;
    } else {
      previous.nextWatching = next;
    }
    if (next != null) {
      next.previousWatching = previous;
    }
    monitor.previousWatching = null;
    monitor.nextWatching = null;
  }

  /** Takes out any monitor that another holds on this process, or null. */
  @Nullable Monitor pollWatching() {
    Monitor first = watching;
    if (first != null) {
      removeWatching(first);
    }
    return first;
  }

  // ---------------------------------------------------------------- read by observers

  int ownedCount() {
    return ownedCount;
  }

  int watchingCount() {
    return watchingCount;
  }

  /**
   * What this process monitors, as far as another thread can see: a walk over a list that its owner
   * may be changing. It ends, since each step is counted, and what it meets was in the list once;
   * an entry taken out under its feet ends it early.
   *
   * @param most how many at most
   */
  List<Address<?>> someOwned(int most) {
    List<Address<?>> some = new ArrayList<>();
    for (Monitor m = owned; m != null && some.size() < most; m = m.nextOwned) {
      some.add(m.target());
    }
    return some;
  }

  /** Who monitors this process; see {@link #someOwned}. */
  List<Pid<?>> someWatching(int most) {
    List<Pid<?>> some = new ArrayList<>();
    for (Monitor m = watching; m != null && some.size() < most; m = m.nextWatching) {
      some.add(m.owner);
    }
    return some;
  }
}
