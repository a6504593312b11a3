package io.selvage.kernel;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was known of a process when {@link Node#info(Pid)} looked. The process was neither stopped
 * nor asked, so parts that change together may be from slightly different moments: a process that
 * takes a message just then may show up as waiting with one message, or running with none. The
 * counts of one that waits are exact.
 *
 * <p>Immutable. Source: {@code erlang:process_info/1}.
 *
 * @param pid the process
 * @param kind what runs its code
 * @param state what it does
 * @param waitsFor what it waits for; null if it does not wait, as far as the kernel knows
 * @param name the name it is registered under, or null
 * @param label its label, or null
 * @param initialCall the class of the code it was started with
 * @param ancestors where it comes from, parent first; see {@link Self#ancestors}
 * @param behavior the class of its present behavior; null for a direct process
 * @param trapsExits whether it turns exit signals into messages
 * @param mailbox how many messages wait for it, with signals that it has not looked at
 * @param marks when its mailbox is too long
 * @param limits the limits that it has, with what counts for them now
 * @param handled how many messages and other signals it has taken: its work, as Erlang's reductions
 *     are. Counts to 2<sup>32</sup> and begins again at 0
 * @param links the processes linked with it
 * @param monitors what it monitors
 * @param monitoredBy who monitors it, once for each monitor
 * @param timers how many timers it has set
 * @param aliases how many active aliases it has
 * @param owned how many names, registry entries, group memberships, subscriptions and trace
 *     sessions it owns
 * @param subscriptions how many of these are subscriptions and trace sessions
 * @param memory an estimate of the bytes that the kernel holds for it: the process, what waits for
 *     it and what it owns; without what the messages hold, and without its thread
 */
public record ProcessInfo(
    Pid<?> pid,
    Kind kind,
    State state,
    @Nullable Wait waitsFor,
    @Nullable String name,
    @Nullable String label,
    String initialCall,
    List<String> ancestors,
    @Nullable String behavior,
    boolean trapsExits,
    long mailbox,
    Marks marks,
    List<Limited> limits,
    long handled,
    Sample<Pid<?>> links,
    Sample<Address<?>> monitors,
    Sample<Pid<?>> monitoredBy,
    long timers,
    int aliases,
    int owned,
    int subscriptions,
    long memory) {

  /** Checks that what must be there is there. */
  public ProcessInfo {
    Objects.requireNonNull(pid, "pid");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(initialCall, "initialCall");
    Objects.requireNonNull(marks, "marks");
    ancestors = List.copyOf(ancestors);
    limits = List.copyOf(limits);
    Objects.requireNonNull(links, "links");
    Objects.requireNonNull(monitors, "monitors");
    Objects.requireNonNull(monitoredBy, "monitoredBy");
  }

  /** What runs the code of a process. */
  public enum Kind {
    /** It has no thread; the node's workers call its behavior. */
    EVENT,
    /** A virtual thread of its own. */
    DIRECT,
    /** A platform thread of its own. */
    DIRECT_ON_PLATFORM_THREAD
  }

  /** What a process does. */
  public enum State {
    /** It waits for a message. */
    WAITING,
    /** It has something to do, and waits for a worker, or for its thread to wake up. */
    RUNNABLE,
    /** Its code runs. A direct process may as well wait for a processor. */
    RUNNING,
    /** It waits for the reply to a call. */
    CALLING,
    /**
     * It has sent to a process whose mailbox is too long, or has no room under a limit, and waits
     * until that has caught up.
     */
    MUTED,
    /** Its code waits in something that is not the kernel's: a lock, a sleep, a socket. */
    BLOCKED,
    /** Its code has ended; others are being told. */
    ENDING
  }

  /**
   * A limit, and what counts for it.
   *
   * @param type the type it is for; null for all that are not named
   * @param limit the limit
   * @param waiting how many messages wait, or their weight, by what the limit bounds
   */
  public record Limited(@Nullable Class<?> type, Limit<?> limit, long waiting) {
    /** Checks that there is a limit. */
    public Limited {
      Objects.requireNonNull(limit, "limit");
    }
  }

  /** What a process waits for. */
  public sealed interface Wait {
    /**
     * A message.
     *
     * @param timed whether it waits no longer than a time
     */
    record ForMessage(boolean timed) implements Wait {}

    /**
     * The reply to a call.
     *
     * @param from who was called; null if that could not be seen
     */
    record ForReply(@Nullable Pid<?> from) implements Wait {}

    /**
     * Room in the mailbox of a process that it has sent to.
     *
     * @param at that process
     */
    record ForRoom(Pid<?> at) implements Wait {}
  }

  /**
   * How many there are, and some of them: all, if they are not more than was asked for. An entry
   * that comes or goes at the very moment may be missing.
   *
   * @param count how many there are
   * @param some some of them, in no particular order
   * @param <T> what they are
   */
  public record Sample<T>(int count, List<T> some) {
    /** Holds a copy of the list. */
    public Sample {
      some = List.copyOf(some);
    }
  }
}
