package io.selvage.kernel.spi;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Something worth telling that happened in a node. */
public sealed interface KernelEvent {

  /**
   * A process ended otherwise than normal or shutdown. Told once, when all others know.
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
   * A direct process computes for long without a kernel call and keeps a thread of the JDK's
   * scheduler to itself, while others wait for one. The first of a kind is told at once; of more
   * with the same code only the 10th, 100th and so on. Looked for only where direct processes run
   * on the JDK's scheduler, and only while all of its threads are taken.
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
    /** It waits for the reply to a call. */
    CALLING
  }

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
}
