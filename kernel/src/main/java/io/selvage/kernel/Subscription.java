package io.selvage.kernel;

import io.selvage.kernel.internal.observe.Outlet;

/**
 * A stream of news that somebody has asked for: events of a node ({@link Node#subscribe}, {@link
 * Self#subscribe}), or the trace of a {@link TraceSession}.
 *
 * <p>It never slows the one it tells of: news that come while {@code capacity} others wait for the
 * subscriber are lost, and counted.
 *
 * <p>Any thread.
 */
public sealed interface Subscription extends AutoCloseable permits Outlet, TraceSession {
  /**
   * How many news were lost so far, since too many waited or came in a second.
   *
   * @return the number
   */
  long lost();

  /**
   * Whether more may come.
   *
   * @return false once it was closed, its process has ended, or its node has closed
   */
  boolean isOpen();

  /**
   * Ends it. Nothing that happens from now on is told; what waits is still delivered. Does not wait
   * for that, nor for a function that runs just now. Closing twice has no effect.
   */
  @Override
  void close();
}
