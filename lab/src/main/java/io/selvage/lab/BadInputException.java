package io.selvage.lab;

/**
 * Something asked for makes no sense. The message is one sentence, or a few short ones, that names
 * the value, the cause and the cure; nothing has been done yet.
 */
public final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Bad input.
   *
   * @param message the value, the cause and the cure
   */
  public BadInputException(String message) {
    super(message);
  }

  /**
   * The sentence.
   *
   * @return never null
   */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
