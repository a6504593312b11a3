package io.selvage.kernel.spi;

import io.selvage.kernel.internal.node.LoggingSink;

/**
 * Where a node's events go.
 *
 * <p>Called on the thread where the event happened, which may be a worker, a virtual thread or the
 * timer: it must be quick, must not block, and may be called by many threads at once. What it
 * throws is dropped.
 */
@FunctionalInterface
public interface EventSink {
  /**
   * Takes one event.
   *
   * @param event the event
   */
  void accept(KernelEvent event);

  /**
   * A sink that writes each event as one entry of the {@link System.Logger} named {@code
   * io.selvage.kernel}; dead letters have one of their own, {@code io.selvage.kernel.deadletters}.
   *
   * @return the sink
   */
  static EventSink logging() {
    return LoggingSink.INSTANCE;
  }
}
