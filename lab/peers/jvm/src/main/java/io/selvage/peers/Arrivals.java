package io.selvage.peers;

/**
 * What processes under test do first: each says that it is there and is about to wait for its
 * message, or, if they are to be busy, spins until all are released.
 */
public final class Arrivals {
  private final boolean busy;
  private final Tally arrived = new Tally();
  private volatile boolean spinning;

  /**
   * None yet.
   *
   * @param busy whether they spin
   */
  public Arrivals(boolean busy) {
    this.busy = busy;
  }

  /**
   * Whether the processes spin.
   *
   * @return true if they do
   */
  public boolean areBusy() {
    return busy;
  }

  /** To be called before a round's first process is created. */
  public void begin() {
    spinning = busy;
  }

  /** To be called by each process. */
  public void arrive() {
    if (busy) {
      while (spinning) {
        Thread.onSpinWait();
      }
    } else {
      arrived.increment();
    }
  }

  /**
   * Returns when all have arrived; at once, if they spin, since most of them may wait for a thread.
   *
   * @param processes how many
   */
  public void await(int processes) {
    if (!busy) {
      arrived.await(processes);
    }
  }

  /** Ends the spinning, so that the processes come to their messages. */
  public void release() {
    spinning = false;
  }
}
