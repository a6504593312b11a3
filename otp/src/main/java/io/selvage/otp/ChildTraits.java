package io.selvage.otp;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a supervisor knows of a child beside its code. Immutable; may be shared by a million
 * children, of whose temporary ones a dynamic supervisor keeps nothing else.
 *
 * @param id names the child among its siblings; not blank
 * @param restart when it is restarted
 * @param shutdown how it is stopped
 * @param type what it is
 * @param significant whether its end may end the supervisor; see {@link AutoShutdown}
 * @param startLimit how long its start may take before it is killed
 * @param backoff how long to wait before a restart; empty to restart at once
 * @param held how many messages sent to its name are kept while it restarts; 0 for none
 */
public record ChildTraits(
    String id,
    Restart restart,
    Shutdown shutdown,
    ChildType type,
    boolean significant,
    Duration startLimit,
    Optional<Backoff> backoff,
    int held) {
  /** How long a worker may take to stop unless its specification says otherwise. */
  static final Duration USUAL_LIMIT = Duration.ofSeconds(5);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the id is blank, a permanent child is significant, a time
   *     or a number is negative, or a temporary child has what only a restart needs
   */
  public ChildTraits {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(startLimit, "startLimit");
    Objects.requireNonNull(restart, "restart");
    Objects.requireNonNull(shutdown, "shutdown");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(backoff, "backoff");
    if (id.isBlank()) {
      throw new IllegalArgumentException(
          "the id of a child is \"" + id + "\": give it a text that is not blank");
    }
    if (significant && restart == Restart.PERMANENT) {
      throw new IllegalArgumentException(
          "the child \""
              + id
              + "\" is significant and permanent, but a permanent child never ends for good: make"
              + " it transient or temporary, or not significant");
    }
    if (startLimit.isNegative()) {
      throw new IllegalArgumentException(
          "the start of the child \""
              + id
              + "\" may take "
              + startLimit
              + ", but that is a time to wait: give zero or more");
    }
    if (held < 0) {
      throw new IllegalArgumentException(
          "the child \""
              + id
              + "\" holds "
              + held
              + " messages, but it is a number of messages: give 1 or more, or 0 for none");
    }
    if (restart == Restart.TEMPORARY && (backoff.isPresent() || held > 0)) {
      throw new IllegalArgumentException(
          "the child \""
              + id
              + "\" is temporary and so never restarted, but it has "
              + (held > 0 ? "messages held for its restart" : "a back-off")
              + ": leave that out, or make it transient or permanent");
    }
  }

  /**
   * A permanent worker, not significant, with 5 seconds to stop, any time to start, restarted at
   * once.
   *
   * @param id names it among its siblings; not blank
   * @return the traits
   * @throws IllegalArgumentException if the id is blank
   */
  public static ChildTraits of(String id) {
    return new ChildTraits(
        id,
        Restart.PERMANENT,
        Shutdown.after(USUAL_LIMIT),
        ChildType.WORKER,
        false,
        Sys.FOREVER,
        Optional.empty(),
        0);
  }

  /**
   * Another choice of when it is restarted.
   *
   * @param choice the choice
   * @return a changed copy
   */
  public ChildTraits restarting(Restart choice) {
    return new ChildTraits(id, choice, shutdown, type, significant, startLimit, backoff, held);
  }

  /**
   * Another choice of how it is stopped.
   *
   * @param choice the choice
   * @return a changed copy
   */
  public ChildTraits stopping(Shutdown choice) {
    return new ChildTraits(id, restart, choice, type, significant, startLimit, backoff, held);
  }

  /**
   * A supervisor, with any time to stop.
   *
   * @return a changed copy
   */
  public ChildTraits supervising() {
    return new ChildTraits(
        id,
        restart,
        Shutdown.infinity(),
        ChildType.SUPERVISOR,
        significant,
        startLimit,
        backoff,
        held);
  }

  /**
   * One whose end may end its supervisor. Choose first when it is restarted: a permanent child
   * cannot be significant.
   *
   * @return a changed copy
   * @throws IllegalArgumentException if it is permanent
   */
  public ChildTraits asSignificant() {
    return new ChildTraits(id, restart, shutdown, type, true, startLimit, backoff, held);
  }

  /**
   * One whose start fails if it takes longer.
   *
   * @param limit how long it may take; zero or more
   * @return a changed copy
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public ChildTraits startingWithin(Duration limit) {
    return new ChildTraits(id, restart, shutdown, type, significant, limit, backoff, held);
  }

  /**
   * One that is restarted only after a wait.
   *
   * @param choice how long
   * @return a changed copy
   */
  public ChildTraits backingOff(Backoff choice) {
    return new ChildTraits(
        id, restart, shutdown, type, significant, startLimit, Optional.of(choice), held);
  }

  /**
   * One whose name keeps messages while it restarts; see {@link ChildSpec#holding}.
   *
   * @param messages how many; 1 or more, or 0 for none
   * @return a changed copy
   */
  public ChildTraits holding(int messages) {
    return new ChildTraits(id, restart, shutdown, type, significant, startLimit, backoff, messages);
  }
}
