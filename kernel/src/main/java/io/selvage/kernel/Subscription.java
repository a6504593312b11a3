package io.selvage.kernel;

import io.selvage.kernel.internal.registry.Listening;

/**
 * That a process is told of changes by messages. It belongs to that process and ends with it.
 *
 * <p>May be used by any thread.
 */
public sealed interface Subscription permits Listening {
  /**
   * Takes the subscription back. Messages that are in the mailbox already stay there; no more come
   * in once the process has seen those. Again, it has no effect.
   */
  void cancel();
}
