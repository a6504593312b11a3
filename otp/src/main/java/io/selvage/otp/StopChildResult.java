package io.selvage.otp;

/** What came of stopping a child. Source: the results of {@code supervisor:terminate_child}. */
public sealed interface StopChildResult {
  /**
   * Nothing, if it does not run.
   *
   * @throws ChildException if there is no such child
   */
  default void orThrow() {
    if (this instanceof NotFound(var child)) {
      throw new ChildException("the supervisor has no child " + child);
    }
  }

  /** It does not run now; it may not have run before. */
  record Stopped() implements StopChildResult {}

  /**
   * There is no such child. Nothing was done to the process, if there is one.
   *
   * @param child the id or the pid
   */
  record NotFound(String child) implements StopChildResult {}
}
