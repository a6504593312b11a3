package io.selvage.kernel;

import java.util.Objects;

/**
 * A typed name under which a process can be registered at a node. Two names are equal if their
 * texts are; whoever makes a name promises that every process registered under it accepts {@code
 * M}.
 *
 * <pre>{@code
 * static final Name<Msg> ACCOUNT = Name.of("account");
 * }</pre>
 *
 * <p>Source: Erlang's registered names (atoms), made typed.
 *
 * @param text the name; not blank
 * @param <M> what processes of this name accept
 */
public record Name<M>(String text) implements Address<M> {
  /**
   * Checks the text.
   *
   * @throws IllegalArgumentException if the text is blank or the reserved word {@code undefined}
   */
  public Name {
    Objects.requireNonNull(text, "text");
    if (text.isBlank() || text.equals("undefined")) {
      throw new IllegalArgumentException(
          "the name \""
              + text
              + "\" cannot be used: a name is a text that is not blank and not \"undefined\"");
    }
  }

  /**
   * A name.
   *
   * @param text the name; not blank
   * @param <M> what processes of this name accept
   * @return the name
   * @throws IllegalArgumentException if the text is blank or the reserved word {@code undefined}
   */
  public static <M> Name<M> of(String text) {
    return new Name<>(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
