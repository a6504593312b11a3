package io.selvage.kernel;

import java.util.Objects;

/**
 * When an {@link Alias} ends, and whether others may send priority messages to it.
 *
 * @param mode when it ends
 * @param priority whether {@link Alias#sendPriority} overtakes ordinary messages
 */
public record AliasOptions(Mode mode, boolean priority) {
  /** What ends an alias, beside {@link Self#unalias} and the end of its process. */
  public enum Mode {
    /** Nothing. */
    EXPLICIT_UNALIAS,
    /** The first message that arrives through it. */
    REPLY,
    /**
     * The end of the monitor that it was made with, be it by {@code demonitor} or by the {@link
     * Down}.
     */
    DEMONITOR,
    /**
     * The same, or the first message that arrives through it: that takes the monitor back, too. So
     * exactly one of the two comes, an answer or a {@link Down}.
     */
    REPLY_DEMONITOR
  }

  private static final AliasOptions DEFAULTS = new AliasOptions(Mode.EXPLICIT_UNALIAS, false);

  /** Options. */
  public AliasOptions {
    Objects.requireNonNull(mode, "mode");
  }

  /**
   * An alias that is good until {@link Self#unalias}, without priority messages.
   *
   * @return the options
   */
  public static AliasOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Changes when the alias ends.
   *
   * @param newMode when
   * @return other options
   */
  public AliasOptions withMode(Mode newMode) {
    return new AliasOptions(newMode, priority);
  }

  /**
   * Allows priority messages.
   *
   * @return other options
   */
  public AliasOptions withPriority() {
    return new AliasOptions(mode, true);
  }
}
