package io.selvage.kernel.internal.schedule;

import io.selvage.kernel.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits in the queues of the workers. It is in at most one queue at a time, and is
 * its own list node there.
 */
public abstract class RunTask implements Scheduler.Turn {
  /** The next in the {@link Inlet}. Guarded by its lock. */
  @Nullable RunTask nextRun;

  /** Nothing is queued yet. */
  protected RunTask() {}

  /**
   * Runs a turn.
   *
   * @param worker the worker whose thread this is
   */
  public abstract void run(Worker worker);

  /**
   * Whether this is a body that has never run: nobody knows whether it will ever give its worker
   * back, so it waits behind the others; see {@link Inlet}. Asked before it is queued.
   */
  protected boolean isNewBody() {
    return false;
  }
}
