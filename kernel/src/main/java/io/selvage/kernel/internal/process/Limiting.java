package io.selvage.kernel.internal.process;

import io.selvage.kernel.Address;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Limit;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.SendResult;
import io.selvage.kernel.internal.schedule.Milestone;
import io.selvage.kernel.internal.time.DurationText;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to processes that have limits.
 *
 * <h2>The protocol</h2>
 *
 * <pre>
 *   send:   find the limit of the message's class; none: as to any other process
 *           weigh the message, make a ticket for it
 *           room, and nobody waits for it:   the ticket takes its place, the message is put into the mailbox
 *           else, if the limit says so:      wait for room, behind the others who do
 *           else, or when the time is over:  the reaction
 *
 *   drop oldest:   under the limit's lock, the oldest ticket becomes DROPPED and this one takes its place
 *                  the dropped message lets its content go; its signal stays in the mailbox, which only the receiver can
 *                  take apart
 *
 *   receiver:   takes a signal out:   claims its ticket; TAKEN: the place is free, the first who waits for it gets it
 *                                                        DROPPED: on to the next signal
 * </pre>
 *
 * <h2>Why it is exact</h2>
 *
 * <p>Places are taken and left under the lock of the {@link LimitState}, and whoever waits is given
 * his by the one who leaves it, in the same step. So a limit is never exceeded, not even for a
 * moment; a place that is free while somebody waits does not exist; and whoever came first gets it
 * first. A place is taken before the message is in the mailbox: a sender that is stopped between
 * the two holds its place, and nobody else's. Such a message may be dropped before it is in the
 * mailbox, and is then put there all the same.
 *
 * <h2>Who waits, and for how long</h2>
 *
 * <p>Each wait has an end, so two that wait for each other's room go on. While a process waits for
 * room, those who send to it are held back as while it works; it can be killed, and does not keep a
 * worker; {@link ThreadWaiter} sees to that. Neither the timer's thread nor one of the kernel's own
 * ever waits: timers are exempt, and what a listener to events sends goes the way of a full limit
 * at once.
 *
 * <h2>What remains of dropped messages</h2>
 *
 * <p>Their signals, until the receiver comes by. They do not count for the length of the mailbox. A
 * selective receive that skips all would never come by those in front of it, so it sweeps them out
 * when they are many. A receiver that is stuck does neither: so they are bounded, and past the
 * bound the newest is dropped.
 *
 * <p>Rejected: to put the new message in the place of the dropped one, which would need no bound.
 * It would overtake what its sender has sent before. A lock-free count: it needs the same two
 * writes, and either exceeds the limit for a moment or leaves a place free while somebody waits.
 *
 * <h2>Aliases</h2>
 *
 * <p>What comes through an alias fills a mailbox as well as anything, so it counts. Its class is
 * that of what was sent: the alias's function belongs to the receiver, and to run it on a sender's
 * thread would make it see what only the receiver may. So where it falls to the limit of the
 * others, whose functions and addresses are for what the receiver accepts, those are left out.
 * Exempt stay replies, of which each was asked for, and messages with priority: the receiver lets
 * some overtake because they must reach it when it is flooded.
 *
 * <h2>Where it differs from SObjectizer</h2>
 *
 * <p>There an agent with any limit must have one for each type it subscribes to; here what has none
 * is not limited. There abort ends the program; here the receiver. Waiting is there for message
 * chains alone. Redirects are bounded in both.
 */
final class Limiting {
  /** How many dropped messages one mailbox may hold. */
  static final int MOST_DROPPED = 65_536;

  /** How often a message is redirected at most. */
  private static final int DEEPEST = 8;

  /** How a message is sent. */
  enum Manner {
    /** The sender may wait. */
    SEND,
    /** The sender never waits, and keeps what has no room. */
    TRY,
    /**
     * As the request of a call whose caller waits for the outcome: the mailbox holds nobody back.
     */
    CALL
  }

  private Limiting() {}

  /**
   * Sends a message to a process that has limits, or had some.
   *
   * @param receiver the process
   * @param message the message, which nobody else knows
   * @param runner the runner of the calling thread, or null
   * @param manner how
   * @param depth how often it has been redirected
   * @return what became of it; other than by TRY, SENT means no more than that it was dealt with
   */
  static SendResult send(
      LocalProcess<?> receiver,
      Message message,
      @Nullable Runner runner,
      Manner manner,
      int depth) {
    while (true) {
      LimitState state = receiver.limitOf(message.content);
      if (state == null) {
        return sendUnlimited(receiver, message, runner, manner);
      }
      long weight;
      try {
        weight = fits(message, state) ? state.weigh(message.content) : 1;
      } catch (Throwable failure) {
        return failed(receiver, state, message, failure);
      }
      Ticket ticket = new Ticket(state, weight);
      Message limited = message.admitted(ticket);
      ticket.message = limited;
      if (state.admit(ticket)) {
        return put(receiver, limited, ticket, runner, manner);
      }
      if (state.waitNanos > 0) {
        if (manner == Manner.TRY) {
          return refuse(receiver);
        }
        if (mayWait(receiver, state, message, ticket, runner, depth)) {
          RoomWait.End end = await(receiver, state, message, ticket, runner);
          if (end == RoomWait.End.ROOM) {
            return put(receiver, limited, ticket, runner, manner);
          }
          if (!message.isWanted()) {
            return SendResult.SENT; // its caller has given up, and has been told
          }
          if (end == RoomWait.End.CLOSED) {
            message.forgetTicket();
            continue;
          }
        }
      }
      return react(receiver, state, message, limited, ticket, runner, manner, depth);
    }
  }

  private static SendResult sendUnlimited(
      LocalProcess<?> receiver, Message message, @Nullable Runner runner, Manner manner) {
    message.forgetTicket();
    if (push(receiver, message, runner, manner)) {
      return SendResult.SENT;
    }
    return ended(receiver, message);
  }

  private static boolean push(
      LocalProcess<?> receiver, Message message, @Nullable Runner runner, Manner manner) {
    return manner == Manner.SEND
        ? receiver.pushMessage(message, message.sender, runner)
        : receiver.push(message, runner);
  }

  /**
   * Whether the functions and addresses of a limit are for what a message holds: those of a named
   * type always are, those for the others are for what the receiver accepts.
   */
  private static boolean fits(Message message, LimitState state) {
    return state.type != null || message.isPlain();
  }

  /** Puts a message into the mailbox whose ticket has a place. */
  private static SendResult put(
      LocalProcess<?> receiver,
      Message limited,
      Ticket ticket,
      @Nullable Runner runner,
      Manner manner) {
    if (push(receiver, limited, runner, manner)) {
      return SendResult.SENT;
    }
    if (ticket.claim()) {
      return ended(receiver, limited);
    }
    limited.undeliverable(receiver);
    return SendResult.ENDED; // whoever dropped it has reported it
  }

  private static SendResult ended(LocalProcess<?> receiver, Message message) {
    message.undeliverable(receiver);
    deadLetter(message, receiver, Cause.ENDED);
    return SendResult.ENDED;
  }

  private static SendResult refuse(LocalProcess<?> receiver) {
    receiver.node.refused();
    return SendResult.REFUSED;
  }

  private static void deadLetter(Message message, LocalProcess<?> receiver, Cause cause) {
    receiver.node.deadLetter(
        message.sender(), message.way(), receiver, message.content, cause, true);
  }

  // ---------------------------------------------------------------- waiting

  private static boolean mayWait(
      LocalProcess<?> receiver,
      LimitState state,
      Message message,
      Ticket ticket,
      @Nullable Runner runner,
      int depth) {
    LocalProcess<?> running = runner == null ? null : runner.process;
    if (state.neverFits(ticket) || (runner != null && running == null)) {
      return false;
    }
    if (running != receiver) {
      return true;
    }
    if (depth > 0) {
      return false; // a redirect of another's has brought it back
    }
    throw new IllegalStateException(
        receiver
            + " sends itself a message of type "
            + message.content.getClass().getName()
            + ", of which its limit has no room ("
            + state.limit()
            + "): it would wait "
            + DurationText.of(state.waitTime())
            + " for itself. Use trySend on the pid, self.stash, or a limit without thenWait for this"
            + " type");
  }

  /** Waits for room. Answers null if there was none in time. */
  private static RoomWait.@Nullable End await(
      LocalProcess<?> receiver,
      LimitState state,
      Message message,
      Ticket ticket,
      @Nullable Runner runner) {
    RoomWait wait = new RoomWait(ticket);
    LocalProcess<?> running = runner == null ? null : runner.process;
    Extras x = running == null ? null : running.extras();
    state.enter(wait);
    if (!receiver.isAlive()) { // it may have closed its limits before these were given to it
      RoomWait.End end = state.giveUp(wait);
      return end == null ? RoomWait.End.CLOSED : end;
    }
    boolean interrupted = false;
    boolean killed = true;
    RoomWait.End end = null;
    try {
      if (x != null) {
        x.roomAt = receiver;
      }
      try {
        boolean _ =
            wait.waiter().awaitRoom(() -> wait.end != null || !message.isWanted(), state.waitNanos);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      killed = false;
    } finally {
      if (x != null) {
        x.roomAt = null;
      }
      end = state.giveUp(wait);
      if (killed && end == RoomWait.End.ROOM) {
        boolean _ = ticket.claim();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return end;
  }

  // ---------------------------------------------------------------- reactions

  private static SendResult react(
      LocalProcess<?> receiver,
      LimitState state,
      Message message,
      Message limited,
      Ticket ticket,
      @Nullable Runner runner,
      Manner manner,
      int depth) {
    var reaction = state.limit().reaction();
    if (!fits(message, state)
        && (reaction instanceof Limit.Redirect<?> || reaction instanceof Limit.Transform<?, ?>)) {
      return dropNewest(receiver, message, manner);
    }
    return switch (reaction) {
      case Limit.Drop<?> _ -> dropNewest(receiver, message, manner);
      case Limit.DropOldest<?> _ -> {
        Ticket dropped = state.admitDroppingOldest(ticket);
        report(receiver, dropped);
        yield ticket.isAdmitted()
            ? put(receiver, limited, ticket, runner, manner)
            : dropNewest(receiver, message, manner);
      }
      case Limit.Refuse<?> _ -> {
        if (manner == Manner.TRY) {
          yield refuse(receiver);
        }
        fail(message, state);
        deadLetter(message, receiver, Cause.REFUSED);
        yield SendResult.SENT;
      }
      case Limit.Redirect<?>(var to) ->
          redirect(receiver, state, message, to, runner, manner, depth);
      case Limit.Transform<?, ?> transform -> {
        Message made;
        try {
          made = message.with(made(transform, message.content));
        } catch (Throwable failure) {
          yield failed(receiver, state, message, failure);
        }
        yield redirect(receiver, state, made, transform.to(), runner, manner, depth);
      }
      case Limit.End<?>(var reason) -> {
        if (state.endsProcess()) {
          boolean _ = receiver.pushExit(ExitSignal.byLimit(reason), runner);
        }
        message.fail(reason);
        yield ended(receiver, message);
      }
    };
  }

  private static SendResult dropNewest(LocalProcess<?> receiver, Message message, Manner manner) {
    if (manner == Manner.TRY) {
      return refuse(receiver);
    }
    deadLetter(message, receiver, Cause.DROPPED_NEWEST);
    return SendResult.SENT;
  }

  /** Lets the content of those dropped go, and tells of them. */
  private static void report(LocalProcess<?> receiver, @Nullable Ticket first) {
    for (Ticket ticket = first; ticket != null; ) {
      Ticket next = ticket.newer;
      ticket.newer = null;
      Message message = Objects.requireNonNull(ticket.message);
      Object content = message.content;
      message.letGo();
      receiver.node.deadLetter(
          message.sender(), message.way(), receiver, content, Cause.DROPPED_OLDEST, true);
      ticket = next;
    }
  }

  /** A call learns that there was no room. */
  private static void fail(Message message, LimitState state) {
    message.fail(new Limits.Refused(message.content.getClass(), state.limit()));
  }

  @SuppressWarnings("unchecked") // asked only about messages that the limit is for
  private static Object made(Limit.Transform<?, ?> transform, Object content) {
    return Objects.requireNonNull(
        ((Function<Object, ?>) transform.function()).apply(content),
        "the function of a limit that transforms answered null");
  }

  /** A function of the user's has failed; its sender is not disturbed, unless it has ended. */
  private static SendResult failed(
      LocalProcess<?> receiver, LimitState state, Message message, Throwable failure) {
    if (failure instanceof ProcessEndedError ended) {
      throw ended;
    }
    message.fail(new ExitReason.Crash(failure));
    deadLetter(message, receiver, Cause.LIMIT_FAILED);
    long count = state.countFailure();
    if (Milestone.isReached(count)) {
      String type = message.content.getClass().getName();
      receiver.node.emit(new KernelEvent.LimitFailed(receiver, type, failure, count));
    }
    return SendResult.SENT;
  }

  private static SendResult redirect(
      LocalProcess<?> receiver,
      LimitState state,
      Message message,
      Address<?> to,
      @Nullable Runner runner,
      Manner manner,
      int depth) {
    if (depth == DEEPEST) {
      fail(message, state);
      deadLetter(message, receiver, Cause.TOO_DEEP);
      return SendResult.SENT;
    }
    Message sent = message.onward();
    return switch (to) {
      case Pid<?> pid -> sendOn((LocalProcess<?>) pid, sent, runner, manner, depth + 1);
      case Name<?> name -> {
        HeldName hold = receiver.node.names().held(name);
        SendResult taken = hold == null ? null : hold.offer(sent, manner, depth + 1);
        if (taken != null) {
          yield taken;
        }
        LocalProcess<?> holder = receiver.node.names().find(name);
        if (holder != null) {
          yield sendOn(holder, sent, runner, manner, depth + 1);
        }
        sent.undeliverable(receiver);
        receiver.node.deadLetter(sent.sender(), sent.way(), name, sent.content, Cause.ENDED, true);
        yield SendResult.ENDED;
      }
    };
  }

  private static SendResult sendOn(
      LocalProcess<?> receiver,
      Message message,
      @Nullable Runner runner,
      Manner manner,
      int depth) {
    if (manner == Manner.TRY && receiver.isOverHighMark()) {
      return refuse(receiver);
    }
    return send(receiver, message, runner, manner, depth);
  }
}
