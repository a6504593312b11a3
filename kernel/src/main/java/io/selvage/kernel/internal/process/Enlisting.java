package io.selvage.kernel.internal.process;

import io.selvage.kernel.Registry;

/**
 * Registers a new process before it runs; see {@link io.selvage.kernel.SpawnOptions#registered}.
 *
 * @param <M> the messages the process accepts
 */
public abstract non-sealed class Enlisting<M> implements Registry.Place<M> {
  /** One registration to come. */
  protected Enlisting() {}

  /**
   * Registers the process.
   *
   * @param process it is in the table of the node, and has not run
   * @throws RuntimeException if it cannot be registered; then the process will not run
   */
  protected abstract void enlist(LocalProcess<M> process);
}
