package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/**
 * Something that belongs to a process and goes with it: a name, an entry in a registry, a
 * membership, a subscription. It is a node in the list of its process, so that entering and leaving
 * allocates nothing and takes constant time.
 *
 * <h2>The life of a possession</h2>
 *
 * <pre>
 *   new ── {@link LocalProcess#own} ──► owned ── {@link LocalProcess#disown}, by whoever takes it back ──────► gone
 *    │                                    └── the process ends: {@link #release}, by its own thread ──► gone
 *    └── the process is ending: own answers false, and release will not be called
 * </pre>
 *
 * <p>A process that ends releases what it owns <em>before</em> it counts as dead, so whoever sees
 * that it is not alive also sees that nothing of it is left. A possession is used once: what has
 * left a list is never entered again.
 *
 * <p>Any thread may enter a possession for a process, also while the process ends. Either it is in
 * the list before the process begins to end, and is released; or {@code own} refuses it. What is
 * built on a possession in a second step (a registry that shows it to others) must be ready for a
 * release that comes between the two; see {@code KeyTable}.
 */
public abstract class Possession {
  /** The neighbours in the list of the process. Written under its lock. */
  @Nullable Possession previousOwned;

  /** Kept when this leaves the list, so that a walk without the lock that stands here goes on. */
  volatile @Nullable Possession nextOwned;

  /** Whether this is in the list. Under its lock. */
  boolean owned;

  /** A possession of nobody. */
  protected Possession() {}

  /**
   * The process ends: takes back whatever others see of this. Runs on the thread that ends the
   * process, under no lock, before the process counts as dead.
   *
   * <p>It must call no user code and not wait. If it lacks memory it is called again until it
   * returns, so an {@link OutOfMemoryError} must leave it in a state from which it can be repeated.
   */
  protected abstract void release();
}
