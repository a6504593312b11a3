package io.selvage.kernel.spi;

/**
 * What runs the turns of event processes. The kernel's own scheduler has workers, each with a
 * queue; another may run a whole node on one thread, in an order of its choice.
 *
 * <p>Implementations must be safe for use by many threads.
 */
public interface Scheduler extends AutoCloseable {
  /**
   * Runs a turn soon, once for each call. A turn is not given again before it has begun to run, and
   * never runs on two threads at once. Must not run it inside this call, and must not throw.
   *
   * @param turn the turn
   */
  void schedule(Turn turn);

  /**
   * Told by a turn that the kernel is about to block its thread, so that others may run meanwhile.
   */
  default void beforeBlock() {}

  /** Told by a turn when its thread has stopped blocking, after each {@link #beforeBlock}. */
  default void afterBlock() {}

  /** Stops without waiting. What was scheduled and has not run is dropped. */
  @Override
  void close();

  /** Work of one event process: some of its messages and signals. */
  interface Turn {
    /** Runs the turn. Never throws. */
    void run();
  }

  /** Makes the scheduler of a node. */
  @FunctionalInterface
  interface Factory {
    /**
     * Makes a scheduler.
     *
     * @param setting what it may need
     * @return the scheduler
     */
    Scheduler create(Setting setting);
  }

  /**
   * What a scheduler may need to know of its node.
   *
   * @param nodeName the node's name, for threads
   * @param workers how many threads should run turns
   * @param longHandlerNanos after how many nanoseconds a turn that does not end should be reported
   * @param clock the node's clock
   * @param events where events go
   */
  record Setting(
      String nodeName, int workers, long longHandlerNanos, Clock clock, EventSink events) {}
}
