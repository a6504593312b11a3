package io.selvage.channel;

/** The channel is closed: it takes no items any more, and has none to give. */
public final class ChannelClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * An exception.
   *
   * @param message what happened, and why
   */
  public ChannelClosedException(String message) {
    super(message);
  }
}
