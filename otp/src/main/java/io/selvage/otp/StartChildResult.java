package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;

/**
 * What came of starting a child. Source: the results of {@code supervisor:start_child}.
 *
 * @param <M> the messages the child accepts
 * @param <A> what it told when it was ready
 */
public sealed interface StartChildResult<M, A> {
  /**
   * The child, if it was started.
   *
   * @return this
   * @throws ChildException if it was not
   */
  default Started<M, A> orThrow() {
    throw new ChildException(
        switch (this) {
          case Started<M, A> _ -> throw new AssertionError("has its own");
          case Ignored<M, A>(var id) -> "the child \"" + id + "\" chose not to run";
          case AlreadyStarted<M, A>(var id, var pid) ->
              "the child \"" + id + "\" runs already, as " + pid + ": choose another id";
          case AlreadyPresent<M, A>(var id) ->
              "there is a child \""
                  + id
                  + "\" that does not run: restart it, delete it first, or choose another id";
          case TooMany<M, A>(var most) ->
              "the supervisor has "
                  + most
                  + " children, the most it may have: stop one first, or raise maxChildren";
          case Failed<M, A>(var id, var reason) ->
              "the child \"" + id + "\" was not started: " + reason;
        },
        this instanceof Failed<M, A>(_, var reason) ? reason : null);
  }

  /**
   * It runs.
   *
   * @param pid its process
   * @param value what it told
   * @param <M> the messages it accepts
   * @param <A> what it told
   */
  record Started<M, A>(Pid<M> pid, A value) implements StartChildResult<M, A> {
    @Override
    public Started<M, A> orThrow() {
      return this;
    }
  }

  /**
   * It chose not to run. Its specification is kept unless it is temporary or its supervisor
   * dynamic.
   *
   * @param id its id
   * @param <M> the messages it accepts
   * @param <A> what it would have told
   */
  record Ignored<M, A>(String id) implements StartChildResult<M, A> {}

  /**
   * A child of the same id runs.
   *
   * @param id the id
   * @param pid the one that runs
   * @param <M> the messages it accepts
   * @param <A> what it would have told
   */
  record AlreadyStarted<M, A>(String id, Pid<?> pid) implements StartChildResult<M, A> {}

  /**
   * There is a child of the same id, which does not run.
   *
   * @param id the id
   * @param <M> the messages it accepts
   * @param <A> what it would have told
   */
  record AlreadyPresent<M, A>(String id) implements StartChildResult<M, A> {}

  /**
   * The dynamic supervisor has as many children as it may.
   *
   * @param most how many
   * @param <M> the messages it accepts
   * @param <A> what it would have told
   */
  record TooMany<M, A>(int most) implements StartChildResult<M, A> {}

  /**
   * It was not started, and its specification is not kept.
   *
   * @param id its id
   * @param reason why
   * @param <M> the messages it accepts
   * @param <A> what it would have told
   */
  record Failed<M, A>(String id, ExitReason reason) implements StartChildResult<M, A> {}
}
