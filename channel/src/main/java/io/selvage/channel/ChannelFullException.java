package io.selvage.channel;

/** The channel is full, and its {@link Overflow} is to fail then. */
public final class ChannelFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * An exception.
   *
   * @param message what happened, and why
   */
  public ChannelFullException(String message) {
    super(message);
  }
}
