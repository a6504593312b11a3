package io.selvage.kernel.spi;

import io.selvage.kernel.Name;
import io.selvage.kernel.Self;
import io.selvage.kernel.internal.process.HeldName;

/**
 * Keeps what is sent to a name while nobody holds the name: what a supervisor opens for a child
 * whose clients must not notice its restart. As long as it is open, a message sent to the name
 * ({@link io.selvage.kernel.Node#send}, a timer to a name) goes to the process that holds the name;
 * if there is none, or it has ended meanwhile, the message waits, and the next process registered
 * under the name finds it in its mailbox before all that is sent later. Messages to pids, and
 * lookups of the name, are as ever.
 *
 * <p>Belongs to the process that opened it, and is closed when that ends.
 *
 * <p>Cost: while it is open each send to the name takes a lock. May be closed by any thread.
 */
public sealed interface NameHold permits HeldName {
  /**
   * Begins to keep what is sent to a name.
   *
   * @param owner whose it is; the calling process
   * @param name the name, whoever holds it now
   * @param most how many messages it keeps at most; more are dead letters
   * @return what ends it
   * @throws IllegalStateException if there is one for this name already
   */
  static NameHold open(Self<?> owner, Name<?> name, int most) {
    return HeldName.open(owner, name, most);
  }

  /** Keeps nothing any more; what waits is dead letters. Again has no effect. */
  void close();
}
