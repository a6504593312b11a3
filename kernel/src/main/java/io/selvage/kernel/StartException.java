package io.selvage.kernel;

import java.util.Objects;

/** A process was not started: the exception that says the same as a {@link StartResult.Failed}. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient StartResult.Failed<?, ?> result;

  /**
   * Says what a result says.
   *
   * @param result the result
   */
  public StartException(StartResult.Failed<?, ?> result) {
    super(text(Objects.requireNonNull(result, "result")));
    this.result = result;
    if (result instanceof StartResult.Ended(_, ExitReason.Crash(Throwable cause))) {
      initCause(cause);
    }
  }

  private static String text(StartResult.Failed<?, ?> result) {
    return switch (result) {
      case StartResult.Ended<?, ?>(var pid, var reason) ->
          pid + " was not started: it ended with " + safe(reason) + " before it was ready";
      case StartResult.TimedOut<?, ?>(var pid, var timeout, var stillRunning) ->
          pid
              + " was not started: it was not ready within "
              + timeout
              + " and was killed"
              + (stillRunning == null ? "" : "; " + stillRunning);
      case StartResult.AlreadyStarted<?, ?>(var holder) ->
          "no process was started: its name is held by " + holder;
      case StartResult.Interrupted<?, ?>(var pid) ->
          pid + " was not started: the thread that waited for it was interrupted, so it was killed";
    };
  }

  private static String safe(ExitReason reason) {
    try {
      return reason.toString();
    } catch (RuntimeException | StackOverflowError textFailed) { // a reason of the user's own
      return reason.getClass().getName();
    }
  }

  /**
   * The same fact as a value.
   *
   * @return the result
   */
  public StartResult.Failed<?, ?> result() {
    return result;
  }
}
