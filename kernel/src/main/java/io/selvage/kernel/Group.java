package io.selvage.kernel;

import java.util.Objects;

/**
 * A typed name for any number of processes at a node, to be used with {@link Groups}. Two groups
 * are equal if their names are; whoever makes a group promises that every process that joins it
 * accepts {@code M}.
 *
 * <pre>{@code
 * static final Group<Msg> VIEWERS = Group.of("viewers");
 * }</pre>
 *
 * <p>Source: the group names of OTP's {@code pg}, made typed.
 *
 * @param name the name; not blank
 * @param <M> what its members accept
 */
@SuppressWarnings("UnusedTypeParameter") // it is what makes a group typed
public record Group<M>(String name) {
  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public Group {
    Objects.requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the group \"" + name + "\" cannot be used: its name must not be blank");
    }
  }

  /**
   * A group.
   *
   * @param name the name; not blank
   * @param <M> what its members accept
   * @return the group
   * @throws IllegalArgumentException if the name is blank
   */
  public static <M> Group<M> of(String name) {
    return new Group<>(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
