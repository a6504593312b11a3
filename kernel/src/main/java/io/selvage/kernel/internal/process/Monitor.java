package io.selvage.kernel.internal.process;

import io.selvage.kernel.Address;
import io.selvage.kernel.Down;
import io.selvage.kernel.MonitorRef;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One monitor. It stands in two lists at once, that of the process that watches and that of the one
 * watched, and carries the links of both, so that making and removing it allocates nothing and
 * takes constant time however many there are.
 */
public final class Monitor implements MonitorRef {
  /** The process that watches. */
  final LocalProcess<?> owner;

  /** The process that is watched; null if a name was given and nobody held it. */
  final @Nullable LocalProcess<?> watched;

  final Function<? super Down, ?> toMessage;
  private final Address<?> target;

  /** The neighbours in the list of the owner, and whether this is in it. Owner's thread only. */
  @Nullable Monitor previousOwned;

  @Nullable Monitor nextOwned;
  boolean owned;

  /**
   * The neighbours in the list of the watched process, and whether this is in it. Its thread only.
   */
  @Nullable Monitor previousWatching;

  @Nullable Monitor nextWatching;
  boolean watching;

  /** The alias made with it, or null. Owner's thread only. */
  @Nullable ProcessAlias<?> alias;

  Monitor(
      LocalProcess<?> owner,
      @Nullable LocalProcess<?> watched,
      Address<?> target,
      Function<? super Down, ?> toMessage) {
    this.owner = owner;
    this.watched = watched;
    this.target = target;
    this.toMessage = toMessage;
  }

  @Override
  public Address<?> target() {
    return target;
  }

  @Override
  public String toString() {
    return "monitor(" + owner + " of " + target + ")";
  }
}
