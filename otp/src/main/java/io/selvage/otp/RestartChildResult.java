package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;

/**
 * What came of starting a stopped child again. Source: the results of {@code
 * supervisor:restart_child}.
 */
public sealed interface RestartChildResult {
  /**
   * The child, if it was started.
   *
   * @return this
   * @throws ChildException if it was not
   */
  default Restarted orThrow() {
    throw new ChildException(
        switch (this) {
          case Restarted _ -> throw new AssertionError("has its own");
          case Ignored(var id) -> "the child \"" + id + "\" chose not to run";
          case Running(var id, var pid) -> "the child \"" + id + "\" runs already, as " + pid;
          case Restarting(var id) ->
              "the child \"" + id + "\" is being restarted already: wait, or stop it";
          case NotFound(var id) ->
              "there is no child \"" + id + "\": start it with its specification";
          case Failed(var id, var reason) -> "the child \"" + id + "\" was not started: " + reason;
        },
        this instanceof Failed(_, var reason) ? reason : null);
  }

  /**
   * It runs.
   *
   * @param pid its process
   */
  record Restarted(Pid<?> pid) implements RestartChildResult {
    @Override
    public Restarted orThrow() {
      return this;
    }
  }

  /**
   * It chose not to run.
   *
   * @param id its id
   */
  record Ignored(String id) implements RestartChildResult {}

  /**
   * It runs already.
   *
   * @param id its id
   * @param pid its process
   */
  record Running(String id, Pid<?> pid) implements RestartChildResult {}

  /**
   * The supervisor is restarting it already.
   *
   * @param id its id
   */
  record Restarting(String id) implements RestartChildResult {}

  /**
   * There is no such child.
   *
   * @param id the id
   */
  record NotFound(String id) implements RestartChildResult {}

  /**
   * It was not started.
   *
   * @param id its id
   * @param reason why
   */
  record Failed(String id, ExitReason reason) implements RestartChildResult {}
}
