package io.selvage.kernel;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one process: how much of each type of message may wait in its mailbox, and what
 * happens to what has no room; and how long requests may wait. Given when it is spawned ({@link
 * SpawnOptions#withLimits}) or while it runs ({@link Node#limits(Pid, Limits)}). Immutable: each
 * method answers a changed copy.
 *
 * <pre>{@code
 * Limits.<Msg>none()
 *     .on(Msg.Frame.class, Limit.messages(100).thenDropOldest())
 *     .on(Msg.Order.class, Limit.messages(10).thenWait(Duration.ofSeconds(1)).thenRefuse())
 *     .others(Limit.messages(1_000).thenDrop())
 * }</pre>
 *
 * <p>A message counts for the limit of its class. If its class has none, it counts for that of the
 * most specific class or interface named here that it is an instance of: one that is a subtype of
 * all others that are. Where none is, the one named first of those that have no subtype among them.
 * If it is an instance of none, it counts for that of the others, if there is one. The types that
 * share a limit share its room.
 *
 * <p>What comes through an {@link Alias} counts as what was sent to it. An alias with a function of
 * its own may be sent what is no message of the process. If no type named here fits that, it counts
 * for the others: as one, whatever is weighed, and what would be redirected or transformed is
 * dropped, since the function runs in the process alone.
 *
 * <p>Exempt are timers and replies, also those through an alias in mode {@code REPLY} or {@code
 * REPLY_DEMONITOR}, {@linkplain Alias#sendPriority priority messages}, which the process lets
 * overtake because they must reach it, signals, and news of monitors, subscriptions and the like:
 * nobody could wait for them, or be told of their loss. {@link Marks} hold beside the limits.
 *
 * <p>Cost: a sender of a process with limits looks up the class of its message and takes a short
 * lock, and the message takes 48 bytes more; the receiver takes the lock once more. Who sends to a
 * process without pays for one bit.
 *
 * <p>Source: SObjectizer's message limits.
 *
 * @param <M> the messages the process accepts
 */
public final class Limits<M> {
  private static final Limits<?> NONE = new Limits<>(Map.of(), null, null);

  private final Map<Class<?>, Limit<?>> types;
  private final @Nullable Limit<?> others;
  private final @Nullable Admission admission;

  private Limits(
      Map<Class<?>, Limit<?>> types, @Nullable Limit<?> others, @Nullable Admission admission) {
    this.types = types;
    this.others = others;
    this.admission = admission;
  }

  /**
   * No limits.
   *
   * @param <M> the messages the process accepts
   * @return the beginning of some
   */
  @SuppressWarnings("unchecked") // holds no M
  public static <M> Limits<M> none() {
    return (Limits<M>) NONE;
  }

  /**
   * Adds the limit of a type.
   *
   * @param type the type; a class, or an interface that several implement
   * @param limit its limit
   * @param <T> the type
   * @return a changed copy
   * @throws IllegalArgumentException if the type has a limit
   */
  public <T extends M> Limits<M> on(Class<T> type, Limit<? super T> limit) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(limit, "limit");
    Limit<?> present = types.get(type);
    if (present != null) {
      throw new IllegalArgumentException(
          type.getName()
              + " is given the limit \""
              + limit
              + "\", but it has one, \""
              + present
              + "\": leave one of them out");
    }
    Map<Class<?>, Limit<?>> all = new LinkedHashMap<>(types);
    all.put(type, limit);
    return new Limits<>(Collections.unmodifiableMap(all), others, admission);
  }

  /**
   * Adds the limit of all messages whose type is not named.
   *
   * @param limit their limit, which they share
   * @return a changed copy
   * @throws IllegalArgumentException if they have one
   */
  public Limits<M> others(Limit<? super M> limit) {
    Objects.requireNonNull(limit, "limit");
    if (others != null) {
      throw new IllegalArgumentException(
          "the other messages are given the limit \""
              + limit
              + "\", but they have one, \""
              + others
              + "\": leave one of them out");
    }
    return new Limits<>(types, limit, admission);
  }

  /**
   * Adds that requests are refused which have waited too long, while the process does not keep up.
   * Holds beside the other limits.
   *
   * @param newAdmission what is too long; replaces what was given before
   * @return a changed copy
   */
  public Limits<M> withAdmission(Admission newAdmission) {
    return new Limits<>(types, others, Objects.requireNonNull(newAdmission, "admission"));
  }

  /**
   * The limits of the types that are named, in the order in which they were.
   *
   * @return the limits; cannot be changed
   */
  public Map<Class<?>, Limit<?>> types() {
    return types;
  }

  /**
   * The limit of the messages whose type is not named.
   *
   * @return the limit, or null
   */
  public @Nullable Limit<?> others() {
    return others;
  }

  /**
   * Which requests are refused because of how long they have waited.
   *
   * @return the admission, or null if none are
   */
  public @Nullable Admission admission() {
    return admission;
  }

  /**
   * Whether nothing is limited.
   *
   * @return true if there is no limit
   */
  public boolean isEmpty() {
    return types.isEmpty() && others == null && admission == null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Limits<?> limits
        && types.equals(limits.types)
        && Objects.equals(others, limits.others)
        && Objects.equals(admission, limits.admission);
  }

  @Override
  public int hashCode() {
    return Objects.hash(types, others, admission);
  }

  @Override
  public String toString() {
    return "limits"
        + types
        + (others == null ? "" : " and for others " + others)
        + (admission == null ? "" : " and for waits " + admission);
  }

  /**
   * Why a call failed: the called process has no room for the request; see {@link
   * Limit.Choice#thenRefuse}. The process has not seen it.
   *
   * @param type the class of the request
   * @param limit the limit that it met
   */
  public record Refused(Class<?> type, Limit<?> limit) implements ExitReason.UserReason {
    /** Checks the values. */
    public Refused {
      Objects.requireNonNull(type, "type");
      Objects.requireNonNull(limit, "limit");
    }

    @Override
    public String toString() {
      return "refused(" + type.getSimpleName() + ": " + limit + ")";
    }
  }
}
