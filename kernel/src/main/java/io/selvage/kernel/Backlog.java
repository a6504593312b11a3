package io.selvage.kernel;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Of what the mailbox of a process consists; see {@link Node#backlog}.
 *
 * <p>It is looked at from outside, without asking the process. While the process waits, or is
 * inside one handler, what was counted is what there is; while it takes messages, some may be
 * missing or be counted twice.
 *
 * @param pid whose mailbox it is
 * @param length how many messages and other signals wait, as {@link ProcessInfo} tells
 * @param counted how many messages were looked at: the oldest ones that the process has fetched,
 *     and the newest ones that it has not, up to a bound
 * @param senders who has sent most of them, greatest count first
 * @param types the classes with most of them, greatest count first
 * @param longestWait how long the request has waited that has waited longest of those counted, by
 *     the clock of the node; empty if none of them has a timeout, as other messages carry no time
 * @param waits how long messages of any kind wait, measured on some of them; empty if the mailbox
 *     was never longer than about a hundred, or nothing was measured yet
 */
public record Backlog(
    Pid<?> pid,
    long length,
    long counted,
    List<Sender> senders,
    List<Type> types,
    Optional<Duration> longestWait,
    Optional<Waits> waits) {
  /** Holds copies. */
  public Backlog {
    Objects.requireNonNull(pid, "pid");
    senders = List.copyOf(senders);
    types = List.copyOf(types);
    Objects.requireNonNull(longestWait, "longestWait");
    Objects.requireNonNull(waits, "waits");
  }

  /**
   * How long messages wait from the send until they are taken. One message is measured at a time:
   * while a mailbox is longer than about a hundred, whenever the one before has been taken. Always
   * on; a message that is not measured pays for one comparison.
   *
   * @param measured how many messages have been measured since the process was started
   * @param last how long the last of them waited; zero if there was none
   * @param mean the mean, to which the last eight or so contribute most; zero if there was none
   * @param sinceLast how long ago the last of them was taken; zero if there was none
   * @param soFar how long the one has waited that is measured now: it stands among the oldest, so
   *     this tells of a process that is stuck; empty if none is
   */
  public record Waits(
      long measured, Duration last, Duration mean, Duration sinceLast, Optional<Duration> soFar) {
    /** Checks that all is there. */
    public Waits {
      Objects.requireNonNull(last, "last");
      Objects.requireNonNull(mean, "mean");
      Objects.requireNonNull(sinceLast, "sinceLast");
      Objects.requireNonNull(soFar, "soFar");
    }
  }

  /**
   * How many messages are from one sender.
   *
   * @param pid the process that sent them; null for all threads that are no process
   * @param count how many, at most
   * @param error by how much the count may be too high; zero if there are few senders
   */
  public record Sender(@Nullable Pid<?> pid, long count, long error) {}

  /**
   * How many messages are of one class.
   *
   * @param name the name of the class
   * @param count how many, at most
   * @param error by how much the count may be too high; zero if there are few classes
   */
  public record Type(String name, long count, long error) {
    /** Checks that there is a name. */
    public Type {
      Objects.requireNonNull(name, "name");
    }
  }
}
