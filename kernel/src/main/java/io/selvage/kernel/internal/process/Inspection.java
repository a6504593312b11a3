package io.selvage.kernel.internal.process;

import io.selvage.kernel.Backlog;
import io.selvage.kernel.Counter;
import io.selvage.kernel.Name;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ProcessInfo.Kind;
import io.selvage.kernel.ProcessInfo.Sample;
import io.selvage.kernel.ProcessInfo.State;
import io.selvage.kernel.ProcessInfo.Wait;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a process from another thread.
 *
 * <p>Erlang asks: {@code process_info} sends the process a signal, and the process answers when it
 * next runs. That is exact, and never comes back from a process that is stuck, which is the one an
 * observer wants to know about. Here nobody is asked: whatever is shown is kept where another
 * thread can read it, at the price of being from slightly different moments.
 *
 * <ul>
 *   <li>The length of the mailbox and the work done follow from counts that sender and owner write
 *       anyway; see {@link LocalProcess#observedLength}.
 *   <li>Links are in a concurrent map, monitors in lists whose walk is bounded by the number of
 *       entries wanted; both have a count, so a million cost no more than a hundred.
 *   <li>What a thread waits for is what it parked for: the blocker that every park names for thread
 *       dumps. So waiting costs no further write.
 *   <li>Nothing is read twice to be consistent with something else: a process that changes all the
 *       time could keep an observer busy for ever.
 * </ul>
 */
public final class Inspection {
  // Bytes, by the layout of the objects with compact headers.
  private static final long EVENT_BYTES = 64;
  private static final long DIRECT_BYTES = 160;
  private static final long EXTRAS_BYTES = 112;
  private static final long MESSAGE_BYTES = 24;
  private static final long LINK_BYTES = 24;
  private static final long LINK_ENTRY_BYTES = 32;
  private static final long MONITOR_BYTES = 48;
  private static final long TIMER_BYTES = 48;

  private Inspection() {}

  /**
   * What can be seen of a process now.
   *
   * @param process the process
   * @param most how many links, and monitors of each direction, to name at most
   * @return empty if the process has ended
   */
  public static Optional<ProcessInfo> of(LocalProcess<?> process, int most) {
    if (!process.isAlive()) {
      return Optional.empty();
    }
    Extras x = process.extrasOrNull();
    State state = state(process, x);
    return Optional.of(
        new ProcessInfo(
            process,
            kind(process),
            state,
            waitsFor(process, x, state),
            name(process),
            x == null ? null : x.label,
            process.node.origins().initialCall(process),
            process.node.origins().ancestors(process),
            process instanceof EventProcess<?> event ? event.behaviorName() : null,
            process.isTrapping(),
            process.observedLength(),
            process.marks(),
            process.limited(),
            process.observedHandled(),
            new Sample<>(Links.count(process), Links.some(process, most)),
            x == null ? nothing() : new Sample<>(x.ownedCount(), x.someOwned(most)),
            x == null ? nothing() : new Sample<>(x.watchingCount(), x.someWatching(most)),
            process.node.wheel().count(process),
            x == null ? 0 : x.aliases,
            process.owns(),
            process.subscriptions(),
            memory(process)));
  }

  /**
   * Of what the mailbox of a process consists.
   *
   * @param process the process
   * @return empty if the process has ended
   */
  public static Optional<Backlog> backlog(LocalProcess<?> process) {
    return process.isAlive() ? Optional.of(census(process)) : Optional.empty();
  }

  /** The same, whether the process has ended or not. */
  public static Backlog census(LocalProcess<?> process) {
    return Census.of(process);
  }

  private static @Nullable String name(LocalProcess<?> process) {
    Name<?> name = process.node.names().nameOf(process);
    return name == null ? null : name.text();
  }

  private static <T> Sample<T> nothing() {
    return new Sample<>(0, List.of());
  }

  private static Kind kind(LocalProcess<?> process) {
    if (process instanceof DirectProcess<?> direct) {
      return direct.thread().isVirtual() ? Kind.DIRECT : Kind.DIRECT_ON_PLATFORM_THREAD;
    }
    return Kind.EVENT;
  }

  private static State state(LocalProcess<?> process, @Nullable Extras x) {
    if (process.isEnding()) {
      return State.ENDING;
    }
    if (process.mute() != null || (x != null && x.roomAt != null)) {
      return State.MUTED;
    }
    Thread waiter = x == null ? null : x.waiter;
    if (waiter != null) {
      return LockSupport.getBlocker(waiter) instanceof ThreadWaiter ? State.BLOCKED : State.CALLING;
    }
    if (process.stillWaits()) {
      return State.WAITING;
    }
    Thread thread =
        process instanceof DirectProcess<?> direct
            ? direct.thread()
            : process.node.threadOf((EventProcess<?>) process);
    if (thread == null) {
      return State.RUNNABLE;
    }
    if (process instanceof DirectProcess<?>) {
      Object blocker = LockSupport.getBlocker(thread);
      if (blocker == process || blocker instanceof DirectProcess.Alarm) {
        return State.RUNNABLE; // woken, but its thread has not gone on yet
      }
    }
    return switch (thread.getState()) {
      case NEW, RUNNABLE -> State.RUNNING;
      case BLOCKED, WAITING, TIMED_WAITING -> State.BLOCKED;
      case TERMINATED -> State.ENDING;
    };
  }

  private static @Nullable Wait waitsFor(LocalProcess<?> process, @Nullable Extras x, State state) {
    return switch (state) {
      case MUTED -> {
        Mute mute = process.mute();
        LocalProcess<?> at = mute != null ? mute.receiver : x == null ? null : x.roomAt;
        yield at == null ? null : new Wait.ForRoom(at);
      }
      case CALLING -> new Wait.ForReply(x == null ? null : x.callee);
      case WAITING ->
          new Wait.ForMessage(
              process instanceof DirectProcess<?> direct
                  && LockSupport.getBlocker(direct.thread()) instanceof DirectProcess.Alarm);
      case RUNNABLE, RUNNING, BLOCKED, ENDING -> null;
    };
  }

  /** One counter of a process; zero if it has ended. */
  public static long counter(LocalProcess<?> process, Counter counter) {
    Extras x = process.extrasOrNull();
    return switch (counter) {
      case MAILBOX -> process.observedLength();
      case HANDLED -> process.observedHandled();
      case LINKS -> Links.count(process);
      case MONITORS -> x == null ? 0 : x.ownedCount();
      case MONITORED_BY -> x == null ? 0 : x.watchingCount();
      case TIMERS -> process.node.wheel().count(process);
      case MEMORY -> memory(process);
    };
  }

  private static long memory(LocalProcess<?> process) {
    long bytes = process instanceof EventProcess ? EVENT_BYTES : DIRECT_BYTES;
    bytes += MESSAGE_BYTES * process.observedLength();
    bytes += TIMER_BYTES * process.node.wheel().count(process);
    Extras x = process.extrasOrNull();
    bytes += LINK_BYTES * Links.count(process);
    if (x != null) {
      bytes += EXTRAS_BYTES + MONITOR_BYTES * x.ownedCount();
      if (x.linkTable != null) {
        bytes += LINK_ENTRY_BYTES * Links.count(process);
      }
    }
    return bytes;
  }

  /** Where the code of a process is, top frame first; empty if it is not running any. */
  public static List<StackTraceElement> stack(LocalProcess<?> process) {
    return List.of(
        process instanceof DirectProcess<?> direct
            ? direct.thread().getStackTrace()
            : process.node.stackOf((EventProcess<?>) process));
  }
}
