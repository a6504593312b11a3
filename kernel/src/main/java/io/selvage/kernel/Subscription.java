package io.selvage.kernel;

import io.selvage.kernel.internal.observe.Outlet;
import io.selvage.kernel.internal.registry.Listening;

/**
 * A stream of news that somebody has asked for: events of a node ({@link Node#subscribe}, {@link
 * Self#subscribe}), the trace of a {@link TraceSession}, changes of a {@link Registry} or of {@link
 * Groups}.
 *
 * <p>It never slows the one it tells of. Events and traces that come while {@code capacity} others
 * wait for the subscriber are lost, and counted; changes of registries and groups are all
 * delivered, since a subscriber keeps a picture by them.
 *
 * <p>A subscription made by a process belongs to it, and ends with it.
 *
 * <p>Any thread.
 */
public sealed interface Subscription extends AutoCloseable permits Listening, Outlet, TraceSession {
  /**
   * How many news were lost so far, since too many waited or came in a second.
   *
   * @return the number; always zero for changes of registries and groups
   */
  long lost();

  /**
   * Whether more may come.
   *
   * @return false once it was closed, its process has ended, or what it tells of has closed
   */
  boolean isOpen();

  /**
   * Ends it. Nothing that happens from now on is told. What is in a mailbox already stays there; of
   * what is still on its way, events and traces are delivered, changes of registries and groups are
   * not. Does not wait for a function that runs just now. Closing twice has no effect.
   */
  @Override
  void close();
}
