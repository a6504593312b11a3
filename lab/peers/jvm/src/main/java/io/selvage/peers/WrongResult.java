package io.selvage.peers;

/** A message is missing or a sum is wrong; the message is the sentence to print. */
public final class WrongResult extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Says what is wrong.
   *
   * @param message one sentence
   */
  public WrongResult(String message) {
    super(message);
  }
}
