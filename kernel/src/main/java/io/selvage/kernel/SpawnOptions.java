package io.selvage.kernel;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How to start a process. Immutable: each method answers a changed copy.
 *
 * <pre>{@code
 * Pid<Msg> pid = self.spawn(body, SpawnOptions.<Msg>defaults().named(ACCOUNT).linked());
 * }</pre>
 *
 * @param name the name to register the process under before it runs, or null
 * @param label a text for reports and listings, or null
 * @param link whether to link the new process with the spawning one, atomically
 * @param trapExits turns exit signals into messages from the start, or null to be ended by them
 * @param marks when its mailbox is too long, or null for what the node says
 * @param limits how much of each type may wait in its mailbox, or null for no limits
 * @param thread what a body runs on, or {@link Threading#DEFAULT}
 * @param place where to register the process before it runs, or null
 * @param predecessor the ended process that the new one stands in for, or null
 * @param <M> the messages the process accepts
 */
public record SpawnOptions<M>(
    @Nullable Name<M> name,
    @Nullable String label,
    boolean link,
    @Nullable Function<? super Exit, ? extends M> trapExits,
    @Nullable Marks marks,
    @Nullable Limits<M> limits,
    Threading thread,
    Registry.@Nullable Place<M> place,
    @Nullable Pid<?> predecessor) {

  /** What carries the code of a process. */
  public enum Threading {
    /** A virtual thread for a {@link Body}, the node's workers for a {@link Behavior}. */
    DEFAULT,
    /** A virtual thread of its own, for bodies and behaviors alike. */
    VIRTUAL,
    /** A platform thread of its own: for code that computes for long without a kernel call. */
    PLATFORM
  }

  private static final SpawnOptions<?> DEFAULTS =
      new SpawnOptions<>(null, null, false, null, null, null, Threading.DEFAULT, null, null);

  /** Checks that what must be there is there. */
  public SpawnOptions {
    Objects.requireNonNull(thread, "thread");
  }

  /**
   * No name, no label, no link, no trap, the marks of the node, no limits.
   *
   * @param <M> the messages the process accepts
   * @return the defaults
   */
  @SuppressWarnings("unchecked") // holds no M
  public static <M> SpawnOptions<M> defaults() {
    return (SpawnOptions<M>) DEFAULTS;
  }

  /**
   * Registers the process before it runs.
   *
   * @param name the name
   * @return a changed copy
   */
  public SpawnOptions<M> named(Name<M> name) {
    return new SpawnOptions<>(
        Objects.requireNonNull(name, "name"),
        label,
        link,
        trapExits,
        marks,
        limits,
        thread,
        place,
        predecessor);
  }

  /**
   * Names the process in reports and listings, without registering it.
   *
   * @param label the text
   * @return a changed copy
   */
  public SpawnOptions<M> labelled(String label) {
    return new SpawnOptions<>(
        name,
        Objects.requireNonNull(label, "label"),
        link,
        trapExits,
        marks,
        limits,
        thread,
        place,
        predecessor);
  }

  /**
   * Links the process with its parent, atomically: a child that ends at once still reaches the
   * parent.
   *
   * @return a changed copy
   */
  public SpawnOptions<M> linked() {
    return new SpawnOptions<>(
        name, label, true, trapExits, marks, limits, thread, place, predecessor);
  }

  /**
   * Turns exit signals into messages from the start; see {@link Self#trapExits}.
   *
   * @param toMessage makes the message
   * @return a changed copy
   */
  public SpawnOptions<M> trappingExits(Function<? super Exit, ? extends M> toMessage) {
    return new SpawnOptions<>(
        name,
        label,
        link,
        Objects.requireNonNull(toMessage, "toMessage"),
        marks,
        limits,
        thread,
        place,
        predecessor);
  }

  /**
   * Says when the mailbox of the process is too long, in place of {@link NodeOptions#marks}.
   *
   * @param newMarks the marks
   * @return a changed copy
   */
  public SpawnOptions<M> withMarks(Marks newMarks) {
    return new SpawnOptions<>(
        name,
        label,
        link,
        trapExits,
        Objects.requireNonNull(newMarks, "marks"),
        limits,
        thread,
        place,
        predecessor);
  }

  /**
   * Says how much of each type of message may wait in the mailbox of the process, and what happens
   * to what has no room.
   *
   * @param newLimits the limits
   * @return a changed copy
   */
  public SpawnOptions<M> withLimits(Limits<M> newLimits) {
    return new SpawnOptions<>(
        name,
        label,
        link,
        trapExits,
        marks,
        Objects.requireNonNull(newLimits, "limits"),
        thread,
        place,
        predecessor);
  }

  /**
   * Runs the code on a virtual thread of its own, behaviors too.
   *
   * @return a changed copy
   */
  public SpawnOptions<M> onVirtualThread() {
    return new SpawnOptions<>(
        name, label, link, trapExits, marks, limits, Threading.VIRTUAL, place, predecessor);
  }

  /**
   * Runs the code on a platform thread of its own: for bodies that compute for long without a
   * kernel call. Costs what a platform thread costs.
   *
   * @return a changed copy
   */
  public SpawnOptions<M> onPlatformThread() {
    return new SpawnOptions<>(
        name, label, link, trapExits, marks, limits, Threading.PLATFORM, place, predecessor);
  }

  /**
   * Registers the process in a {@link Registry} before it runs; see {@link Registry#at}. If its key
   * is taken, the spawn throws an {@link AlreadyRegisteredException} and the code never runs.
   *
   * @param place the registry, the key and the value
   * @return a changed copy
   */
  public SpawnOptions<M> registered(Registry.Place<M> place) {
    return new SpawnOptions<>(
        name,
        label,
        link,
        trapExits,
        marks,
        limits,
        thread,
        Objects.requireNonNull(place, "place"),
        predecessor);
  }

  /**
   * Tells that the process stands in for one that has ended, as a supervisor's children do. It
   * changes nothing about either; observers are told of a restart ({@link
   * io.selvage.kernel.spi.KernelEvent.ProcessRestarted}, and {@code io.selvage.Restart} in the
   * flight recorder) right after the spawn. Source: the report {@code child_restarted} of Erlang's
   * {@code supervisor}.
   *
   * @param newPredecessor the process that it replaces; of the same node, which the spawn checks
   * @return a changed copy
   */
  public SpawnOptions<M> restartOf(Pid<?> newPredecessor) {
    return new SpawnOptions<>(
        name,
        label,
        link,
        trapExits,
        marks,
        limits,
        thread,
        place,
        Objects.requireNonNull(newPredecessor, "predecessor"));
  }
}
