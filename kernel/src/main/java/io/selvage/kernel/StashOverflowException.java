package io.selvage.kernel;

/** A process wanted to stash one message more than its stash holds; see {@link Self#stash}. */
public final class StashOverflowException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * With what happened.
   *
   * @param message what happened
   */
  public StashOverflowException(String message) {
    super(message);
  }
}
