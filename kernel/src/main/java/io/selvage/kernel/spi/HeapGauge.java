package io.selvage.kernel.spi;

import io.selvage.kernel.internal.node.CollectionGauge;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a node learns how full the heap is; see {@link io.selvage.kernel.HeapGuard}. A test can
 * give one that tells what it likes.
 *
 * <p>Implementations must be safe for use by many threads.
 */
public interface HeapGauge {
  /**
   * How full the heap was after a collection.
   *
   * @param used bytes in use
   * @param max bytes that can be in use at most
   * @param old whether objects that had been there for long were collected, too; if not, some of
   *     the bytes may be garbage
   */
  record Reading(long used, long max, boolean old) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public Reading {
      if (used < 0 || max < 1) {
        throw new IllegalArgumentException(
            "a heap of "
                + max
                + " bytes of which "
                + used
                + " are in use: the first must be more than zero, the second not negative");
      }
    }

    /**
     * The share in use.
     *
     * @return 0 to 1
     */
    public double share() {
      return (double) used / max;
    }
  }

  /**
   * Begins to tell somebody of each collection, soon after it.
   *
   * @param listener told by one thread at a time; quick
   */
  void watch(Consumer<? super Reading> listener);

  /**
   * Ends that. The listener may be told once more just then.
   *
   * @param listener the one that was given to {@link #watch}
   */
  void unwatch(Consumer<? super Reading> listener);

  /**
   * What listeners are about to be told, if there has been a collection of which they have not been
   * told yet: their thread may have to wait for a processor while others fill the heap. Asked by
   * senders to mailboxes that grow, at every sixteenth message: so it must be as quick as a look at
   * a field, need memory only if there is something to tell, and throw nothing. By any thread.
   *
   * @return how full the heap is by now, with what has been allocated since the collection; null if
   *     listeners have been told of all, and not before. Always null in a gauge that does not
   *     answer this
   */
  default @Nullable Reading untold() {
    return null;
  }

  /**
   * The heap of this JVM. Looks at it after each collection, and not otherwise, on a daemon thread
   * that all nodes share and that ends with the last of them.
   *
   * @return the gauge
   */
  static HeapGauge jdk() {
    return CollectionGauge.INSTANCE;
  }
}
