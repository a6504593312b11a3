package io.selvage.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a process ended, as data that links, monitors and supervisors can match on.
 *
 * <pre>{@code
 * switch (down.reason()) {
 *   case ExitReason.Normal _, ExitReason.Shutdown _ -> {}
 *   case ExitReason.Crash(Throwable cause) -> restart(cause);
 *   case ExitReason other -> log(other);
 * }
 * }</pre>
 *
 * <p>Reasons of your own implement {@link UserReason}. Source: Erlang's exit reasons, with OTP's
 * names.
 */
public sealed interface ExitReason {

  /** The process did its work and ended, or returned. Ends nobody else. Not reported. */
  record Normal() implements ExitReason {
    private static final Normal INSTANCE = new Normal();

    @Override
    public String toString() {
      return "normal";
    }
  }

  /**
   * The process was asked to end and did. Not reported.
   *
   * @param detail anything worth telling, or null
   */
  record Shutdown(@Nullable Object detail) implements ExitReason {
    private static final Shutdown PLAIN = new Shutdown(null);

    @Override
    public String toString() {
      return detail == null ? "shutdown" : "shutdown(" + detail + ")";
    }
  }

  /**
   * As an exit <em>signal</em>: end without asking; it cannot be trapped, and what others see is
   * {@link Killed}. A process that ends <em>itself</em> with this reason passes it on as an
   * ordinary reason, which can be trapped.
   */
  record Kill() implements ExitReason {
    private static final Kill INSTANCE = new Kill();

    @Override
    public String toString() {
      return "kill";
    }
  }

  /** The process was ended by the signal {@link Kill}. */
  record Killed() implements ExitReason {
    private static final Killed INSTANCE = new Killed();

    @Override
    public String toString() {
      return "killed";
    }
  }

  /** There is no such process: it had ended, or never was. */
  record NoProc() implements ExitReason {
    private static final NoProc INSTANCE = new NoProc();

    @Override
    public String toString() {
      return "noproc";
    }
  }

  /** The process's node cannot be reached. */
  record NoConnection() implements ExitReason {
    private static final NoConnection INSTANCE = new NoConnection();

    @Override
    public String toString() {
      return "noconnection";
    }
  }

  /**
   * A throwable left the code of the process.
   *
   * @param cause what was thrown, with its stack
   */
  record Crash(Throwable cause) implements ExitReason {
    /** Checks the cause. */
    public Crash {
      Objects.requireNonNull(cause, "cause");
    }

    @Override
    public String toString() {
      return "crash(" + cause + ")";
    }
  }

  /** A reason of your own. Implement it with a record. Reported like a crash, without a stack. */
  non-sealed interface UserReason extends ExitReason {}

  /**
   * Whether this is an expected ending, which is not reported and does not make a supervisor
   * restart a transient child.
   *
   * @return true for {@link Normal} and {@link Shutdown}
   */
  default boolean isOrderly() {
    return this instanceof Normal || this instanceof Shutdown;
  }

  /**
   * The reason {@link Normal}.
   *
   * @return the one instance
   */
  static ExitReason normal() {
    return Normal.INSTANCE;
  }

  /**
   * The reason {@link Shutdown} without detail.
   *
   * @return the one instance
   */
  static ExitReason shutdown() {
    return Shutdown.PLAIN;
  }

  /**
   * The reason {@link Kill}.
   *
   * @return the one instance
   */
  static ExitReason kill() {
    return Kill.INSTANCE;
  }

  /**
   * The reason {@link Killed}.
   *
   * @return the one instance
   */
  static ExitReason killed() {
    return Killed.INSTANCE;
  }

  /**
   * The reason {@link NoProc}.
   *
   * @return the one instance
   */
  static ExitReason noProc() {
    return NoProc.INSTANCE;
  }

  /**
   * The reason {@link NoConnection}.
   *
   * @return the one instance
   */
  static ExitReason noConnection() {
    return NoConnection.INSTANCE;
  }
}
