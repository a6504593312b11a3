package io.selvage.otp;

import io.selvage.kernel.Pid;

/**
 * What came of deleting the specification of a child. Source: the results of {@code
 * supervisor:delete_child}.
 */
public sealed interface DeleteChildResult {
  /**
   * Nothing, if it is deleted.
   *
   * @throws ChildException if it is not
   */
  default void orThrow() {
    switch (this) {
      case Deleted _ -> {}
      case Running(var id, var pid) ->
          throw new ChildException(
              "the child \"" + id + "\" runs as " + pid + ": stop it before you delete it");
      case Restarting(var id) ->
          throw new ChildException(
              "the child \"" + id + "\" is being restarted: stop it before you delete it");
      case NotFound(var id) -> throw new ChildException("there is no child \"" + id + "\"");
    }
  }

  /** It is deleted. */
  record Deleted() implements DeleteChildResult {}

  /**
   * It runs.
   *
   * @param id its id
   * @param pid its process
   */
  record Running(String id, Pid<?> pid) implements DeleteChildResult {}

  /**
   * It is being restarted.
   *
   * @param id its id
   */
  record Restarting(String id) implements DeleteChildResult {}

  /**
   * There is no such child.
   *
   * @param id the id
   */
  record NotFound(String id) implements DeleteChildResult {}
}
