package io.selvage.kernel;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of a start with handshake: to be matched with {@code switch}, or turned into an
 * exception by {@link #orThrow}.
 *
 * <pre>{@code
 * switch (self.startLink(listener, Duration.ofSeconds(5))) {
 *   case StartResult.Started(var pid, var port) -> announce(port);
 *   case StartResult.Failed<?, ?> failed -> retryLater(failed.reason());
 * }
 * }</pre>
 *
 * <p>Source: the results of {@code proc_lib:start}: {@code Ret}, {@code {error, Reason}}, {@code
 * {error, timeout}}, {@code {error, {already_started, Pid}}}.
 *
 * @param <M> the messages the process accepts
 * @param <A> what it tells when it is ready
 */
public sealed interface StartResult<M, A> {
  /**
   * The process, if it was started.
   *
   * @return this
   * @throws StartException if the start failed
   */
  Started<M, A> orThrow();

  /**
   * The process said that it is ready. It may have ended since.
   *
   * @param pid the new process
   * @param value what it told
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  record Started<M, A>(Pid<M> pid, A value) implements StartResult<M, A> {
    /** Checks that there is a pid. */
    public Started {
      Objects.requireNonNull(pid, "pid");
    }

    @Override
    public Started<M, A> orThrow() {
      return this;
    }
  }

  /**
   * There is no new process: none was made, or it has ended, and holds neither a name nor a link.
   *
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  sealed interface Failed<M, A> extends StartResult<M, A> {
    /**
     * Why, as a reason with which another process may end.
     *
     * @return the reason
     */
    ExitReason reason();

    /**
     * The same fact as an exception.
     *
     * @return a new exception
     */
    default StartException exception() {
      return new StartException(this);
    }

    @Override
    default Started<M, A> orThrow() {
      throw exception();
    }
  }

  /**
   * The process ended before it was ready.
   *
   * @param pid the process
   * @param reason what it gave to {@link Ack#fail}, or why it ended
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  record Ended<M, A>(Pid<M> pid, ExitReason reason) implements Failed<M, A> {
    /** Checks that both are there. */
    public Ended {
      Objects.requireNonNull(pid, "pid");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * The process was not ready in time, and was killed.
   *
   * @param pid the process
   * @param timeout the time that it had
   * @param stillRunning null; or, if its code neither returned, nor called the kernel, nor could be
   *     interrupted within a second after the kill, so that it still runs: what to do about that
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  record TimedOut<M, A>(Pid<M> pid, Duration timeout, @Nullable String stillRunning)
      implements Failed<M, A> {
    /** Checks that both are there. */
    public TimedOut {
      Objects.requireNonNull(pid, "pid");
      Objects.requireNonNull(timeout, "timeout");
    }

    @Override
    public ExitReason reason() {
      return ExitReason.killed();
    }
  }

  /**
   * The name in the options is held by another process; no process was made.
   *
   * @param holder who holds the name
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  record AlreadyStarted<M, A>(Pid<M> holder) implements Failed<M, A> {
    /** Checks that there is a holder. */
    public AlreadyStarted {
      Objects.requireNonNull(holder, "holder");
    }

    @Override
    public ExitReason reason() {
      return new ExitReason.Crash(exception());
    }
  }

  /**
   * The thread that waited was interrupted, and is no process; the new process was killed. The
   * interrupt status of the thread is set.
   *
   * @param pid the process
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  record Interrupted<M, A>(Pid<M> pid) implements Failed<M, A> {
    /** Checks that there is a pid. */
    public Interrupted {
      Objects.requireNonNull(pid, "pid");
    }

    @Override
    public ExitReason reason() {
      return ExitReason.killed();
    }
  }
}
