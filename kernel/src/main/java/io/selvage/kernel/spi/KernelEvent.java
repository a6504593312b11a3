package io.selvage.kernel.spi;

import io.selvage.kernel.Address;
import io.selvage.kernel.Backlog;
import io.selvage.kernel.DeadLetterCount;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Something worth telling that happened in a node. */
public sealed interface KernelEvent {

  /**
   * The code of a process ended otherwise than normal or shutdown. Told once, when all others know.
   * Not told of processes that an exit signal ends, through a link or by a kill: the crash was
   * another's, and {@link ProcessEnded} tells of their ends.
   *
   * @param report all that is known of it
   */
  record ProcessCrashed(CrashReport report) implements KernelEvent {
    /** Checks that there is a report. */
    public ProcessCrashed {
      Objects.requireNonNull(report, "report");
    }

    /**
     * The process.
     *
     * @return its pid
     */
    public Pid<?> pid() {
      return report.pid();
    }

    /**
     * Why it ended.
     *
     * @return the reason
     */
    public ExitReason reason() {
      return report.reason();
    }

    /**
     * How many messages it left unread.
     *
     * @return the number
     */
    public long unread() {
      return report.unread();
    }
  }

  /**
   * A direct process computes for long without a kernel call, and keeps a thread to itself that
   * others wait for: a carrier of the JDK's scheduler, which is looked for only while all of them
   * are taken; or one of the node's workers. The first of a kind is told at once; of more with the
   * same code only the 10th, 100th and so on.
   *
   * @param pid the process
   * @param body the class of its code
   * @param elapsed for how long others have waited so far, at least
   * @param stack where it is; the top frames first
   * @param count how many processes of this kind there were so far
   */
  record LongBody(
      Pid<?> pid, String body, Duration elapsed, List<StackTraceElement> stack, long count)
      implements KernelEvent {
    /** Holds a copy of the stack. */
    public LongBody {
      stack = List.copyOf(stack);
    }
  }

  /**
   * A handler of an event process takes long. Meanwhile a spare worker stands in. The first handler
   * of a kind is told at once; of more of the same kind (the same behavior class doing the same)
   * only the 10th, 100th and so on.
   *
   * @param pid the process
   * @param behavior the class of its behavior
   * @param doing what its thread does
   * @param elapsed how long the handler has run so far, at least
   * @param stack where it is; the top frames first
   * @param count how many handlers of this kind were long so far
   */
  record LongHandler(
      Pid<?> pid,
      String behavior,
      Doing doing,
      Duration elapsed,
      List<StackTraceElement> stack,
      long count)
      implements KernelEvent {
    /** Holds a copy of the stack. */
    public LongHandler {
      stack = List.copyOf(stack);
    }
  }

  /** What the thread of a long handler does. */
  enum Doing {
    /** It computes, or at least does not wait as far as the JVM knows. */
    COMPUTING,
    /** It waits in code that is not the kernel's: a sleep, a lock, a socket. */
    BLOCKED,
    /** It waits for the reply to a call, or for room in the mailbox that it sends to. */
    CALLING
  }

  /**
   * A sender was held back by a receiver for as long as that may last, and was let go on although
   * the mailbox is still too long: the receiver is stuck, or far too slow. Told of a receiver's
   * first, and of its 10th, 100th and so on.
   *
   * @param sender the process that was held back; null if a thread that is no process was
   * @param receiver whose mailbox it is
   * @param length how many messages wait there
   * @param bound how long the sender was held back
   * @param count how often this has happened to senders of this receiver so far
   * @param backlog who has sent them, of which classes they are, how long they wait
   */
  record MutedLong(
      @Nullable Pid<?> sender,
      Pid<?> receiver,
      long length,
      Duration bound,
      long count,
      Backlog backlog)
      implements KernelEvent {
    /** Checks that there is a backlog. */
    public MutedLong {
      Objects.requireNonNull(backlog, "backlog");
    }
  }

  /**
   * The heap was nearly full after a collection, also of old objects, and senders are held back
   * earlier until it is not; see {@link io.selvage.kernel.HeapGuard}. Told when that begins, and
   * again whenever it has not been enough.
   *
   * @param used bytes in use after the collection
   * @param max bytes that can be in use at most
   * @param mark the high mark of all mailboxes from now on, unless theirs is lower or off
   * @param longest the longest mailboxes, longest first, with their senders and the classes of
   *     their messages; as many as the guard says
   * @param count the how many-th time this is since the heap was not nearly full
   */
  record HeapPressure(long used, long max, int mark, List<Backlog> longest, long count)
      implements KernelEvent {
    /** Holds a copy of the list. */
    public HeapPressure {
      longest = List.copyOf(longest);
    }
  }

  /**
   * The heap is not nearly full any more, and the marks of before hold again. Told if a {@link
   * HeapPressure} was.
   *
   * @param used bytes in use after a collection
   * @param max bytes that can be in use at most
   * @param lasted how long senders were held back earlier
   */
  record HeapRelieved(long used, long max, Duration lasted) implements KernelEvent {
    /** Checks that there is a duration. */
    public HeapRelieved {
      Objects.requireNonNull(lasted, "lasted");
    }
  }

  /**
   * A function of a process's limits, a weigher or a transformation, has thrown or has answered
   * what it must not. The message is a dead letter; its sender was not disturbed. Told of the first
   * such failure of a limit, and of the 10th, 100th and so on.
   *
   * @param receiver the process whose limit it is
   * @param type the class of the message
   * @param cause what was thrown
   * @param count how often this has happened to this limit so far
   */
  record LimitFailed(Pid<?> receiver, String type, Throwable cause, long count)
      implements KernelEvent {}

  /**
   * No more spare workers can be lent: so many handlers block that event processes may have to
   * wait.
   *
   * @param workers how many threads run handlers
   */
  record WorkersExhausted(int workers) implements KernelEvent {}

  /**
   * An option could not be honoured; the node does without.
   *
   * @param option the option
   * @param why the cause and the cure
   */
  record OptionUnavailable(String option, String why) implements KernelEvent {}

  /**
   * The JDK that runs the node is known to have a fault that concerns it.
   *
   * @param version the JDK's version
   * @param what the fault and the cure
   */
  record FaultyJdk(String version, String what) implements KernelEvent {}

  /**
   * The node was closed before these processes had ended.
   *
   * @param processes the processes
   */
  record CloseIncomplete(List<Pid<?>> processes) implements KernelEvent {
    /** Holds a copy of the list. */
    public CloseIncomplete {
      processes = List.copyOf(processes);
    }
  }

  /**
   * The kernel itself failed while it did something for a process, which is a fault of the kernel
   * or an {@link OutOfMemoryError}; it went on.
   *
   * @param doing what it did
   * @param cause what was thrown
   */
  record KernelFault(String doing, Throwable cause) implements KernelEvent {}

  // ---------------------------------------------------------------- told to subscribers only

  /**
   * A process was started. It has not run yet. If it is then refused its name or its key, it ends
   * without having run, which is told like any end. Subscribers only.
   *
   * @param pid the process
   * @param parent the process that started it; null if a thread that is no process did
   * @param label its label, or null
   */
  record ProcessSpawned(Pid<?> pid, @Nullable Pid<?> parent, @Nullable String label)
      implements KernelEvent {}

  /**
   * A process was started in the place of one that has ended; told after its {@link
   * ProcessSpawned}, once it has its name and links. Subscribers only.
   *
   * @param pid the new process
   * @param predecessor the one that it stands in for; see {@link
   *     io.selvage.kernel.SpawnOptions#restartOf}
   * @param label the label of the new process, or null
   */
  record ProcessRestarted(Pid<?> pid, Pid<?> predecessor, @Nullable String label)
      implements KernelEvent {}

  /**
   * A process has ended, and has told its links and monitors. Subscribers only.
   *
   * @param pid the process
   * @param label its label, or null
   * @param reason why
   * @param unread how many messages it left unread
   */
  record ProcessEnded(Pid<?> pid, @Nullable String label, ExitReason reason, long unread)
      implements KernelEvent {}

  /**
   * Two processes were linked. There is one link between two processes, whoever asked for it; if
   * both ask at the same moment, both are told of. A process that ends while it is being linked may
   * be told of here: then {@link ProcessesUnlinked} or its own end follows. Subscribers only.
   *
   * @param pid the one that asked for it
   * @param other the other
   */
  record ProcessesLinked(Pid<?> pid, Pid<?> other) implements KernelEvent {}

  /**
   * A link was removed; not told of links that end with a process. Told once for each unlink that
   * found a link. Subscribers only.
   *
   * @param pid the one that asked for it
   * @param other the other
   */
  record ProcessesUnlinked(Pid<?> pid, Pid<?> other) implements KernelEvent {}

  /**
   * A process was registered. Subscribers only.
   *
   * @param name the name
   * @param pid the process
   */
  record NameRegistered(Name<?> name, Pid<?> pid) implements KernelEvent {}

  /**
   * A name was freed, other than by the end of its process. Subscribers only.
   *
   * @param name the name
   */
  record NameUnregistered(Name<?> name) implements KernelEvent {}

  /**
   * A mailbox has grown over the mark of {@link io.selvage.kernel.EventFilter#longQueue}. Told once
   * for a process, and again when the mailbox has been below half of the mark in between. While
   * somebody subscribes to this, all mailboxes are looked at every tenth of a second; nothing is
   * added to a send. Subscribers only.
   *
   * @param pid the process
   * @param length how many messages wait
   * @param backlog who has sent them, of which classes they are, how long they wait
   */
  record LongQueue(Pid<?> pid, long length, Backlog backlog) implements KernelEvent {
    /** Checks that there is a backlog. */
    public LongQueue {
      Objects.requireNonNull(backlog, "backlog");
    }
  }

  /**
   * A message reached nobody. Each is told once. Subscribers only; the node's sink gets {@link
   * DeadLetters}.
   *
   * <p>Not told, though counted and logged as all are: what a subscriber sends to nobody while it
   * handles an event of this type. So listeners that answer dead letters by more of them come to
   * rest. A process handles it until it takes its next message, a function until it returns.
   *
   * <p>The text of this event names the message by its class only, since the message may be large
   * or secret.
   *
   * @param sender the process that sent it; for a timer the one that has set it. Null if a thread
   *     that is no process did, and of a message that was {@linkplain Way#STASH stashed}
   * @param way how it was sent
   * @param receiver the process it was sent to, or the name, if nobody held it; null for a reply to
   *     a thread that is no process
   * @param message the message
   * @param cause why it was not delivered
   */
  record DeadLetter(
      @Nullable Pid<?> sender, Way way, @Nullable Address<?> receiver, Object message, Cause cause)
      implements KernelEvent {
    @Override
    public String toString() {
      return "DeadLetter[sender="
          + sender
          + ", way="
          + way
          + ", receiver="
          + receiver
          + ", type="
          + message.getClass().getName()
          + ", cause="
          + cause
          + "]";
    }

    /** Why a message was not delivered. */
    public enum Cause {
      /**
       * The receiver had ended when it was sent, or nobody held its name, or a limit ended the
       * receiver for it.
       */
      ENDED("had ended"),
      /** The receiver ended before it took the message. */
      UNREAD("ended before it took it"),
      /** It came through an alias that was revoked. */
      REVOKED("had revoked the alias"),
      /**
       * It is the reply to a call that was over: the caller had given up, had ended, or had been
       * answered already.
       */
      LATE("did not wait for it any more"),
      /**
       * It is a request whose call was over without a reply before the receiver handled it: the
       * caller had given up, or had ended.
       */
      EXPIRED("had not handled it before its caller gave up"),
      /** A limit of the receiver refused it. */
      REFUSED("had no room for it and refused it"),
      /** A limit of the receiver dropped it as it came. */
      DROPPED_NEWEST("had no room for it"),
      /** A limit of the receiver dropped it, for one that came later. */
      DROPPED_OLDEST("dropped it for a later one"),
      /**
       * It is a request that had waited too long in the mailbox of a receiver that does not keep
       * up; see {@link io.selvage.kernel.Admission}.
       */
      OVERLOADED("came to it too late"),
      /** It was redirected by one limit after another, too often. */
      TOO_DEEP("would have redirected it once more"),
      /** A function of a limit of the receiver failed; see {@link LimitFailed}. */
      LIMIT_FAILED("has a limit that failed");

      private final String words;

      Cause(String words) {
        this.words = words;
      }

      /**
       * The cause in words, which follow the receiver in a sentence.
       *
       * @return such as {@code had ended}
       */
      public String words() {
        return words;
      }
    }

    /** How a message was sent. */
    public enum Way {
      /** By a send to a pid, a name or an alias. */
      SEND("sent by"),
      /** As the request of a call, whose caller has been told. */
      CALL("the request of a call by"),
      /** As the reply to a call. */
      REPLY("a reply by"),
      /** By a timer. */
      TIMER("sent by a timer of"),
      /** By something outside the kernel that the receiver waited for, such as a channel. */
      EXPECTED("expected from"),
      /** Any way: the receiver had put it aside, and a stash does not keep who sent it. */
      STASH("stashed; sent by");

      private final String words;

      Way(String words) {
        this.words = words;
      }

      /**
       * The way in words, which come before the sender.
       *
       * @return such as {@code sent by}
       */
      public String words() {
        return words;
      }
    }
  }

  /**
   * Messages of one kind (to one receiver, of one class, for one cause) have reached nobody. The
   * first of a kind is told at once, of ten kinds in a minute at most; what comes after it is
   * collected and told when the minute is over, or the node closes, for the ten kinds that have
   * most; {@link OtherDeadLetters} tells of all that remain. So the counts of both types add up to
   * the number of dead letters until the node has closed.
   *
   * @param letters how many, since the last such event of their kind, and what is known of them
   * @param text the message, if there is one only and {@link
   *     io.selvage.kernel.ReportOptions#deadLetters} allows it; else null, since it may be large or
   *     secret
   */
  record DeadLetters(DeadLetterCount letters, @Nullable String text) implements KernelEvent {
    /** Checks that there is a count. */
    public DeadLetters {
      Objects.requireNonNull(letters, "letters");
    }
  }

  /**
   * Messages have reached nobody, other than those that a {@link DeadLetters} has told of.
   *
   * @param count how many, since the last such event
   * @param closing whether this is all that has been left to tell when the node closed; else too
   *     many kinds of them came in a minute
   */
  record OtherDeadLetters(long count, boolean closing) implements KernelEvent {}

  /**
   * In the stream of one subscriber: events that should be here were lost, since the subscriber was
   * too slow. Subscribers only.
   *
   * @param events how many, since the last such event
   */
  record EventsLost(long events) implements KernelEvent {}
}
