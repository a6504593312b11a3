package io.selvage.kernel;

/**
 * When a node's heap counts as nearly full, so that senders are held back earlier than by {@link
 * Marks}. Marks count messages; the guard is for messages that are large. Immutable: each {@code
 * with…} answers a changed copy.
 *
 * <pre>
 *   share of the heap in use after a collection:   0 ─────────── low ─────────── high ────────── 1
 *                                                                 │               │
 *                                               the marks of before hold    senders to the longest
 *                                               again from here downward    mailboxes are held back
 * </pre>
 *
 * <p>Once the share is past {@code high}, the high mark of all mailboxes becomes half the length of
 * the longest one; whenever a collection of old objects leaves it there, half of that again. So who
 * sends to the longest mailboxes waits, and whoever sends to short ones does not notice. The
 * longest are told in {@link io.selvage.kernel.spi.KernelEvent.HeapPressure}, with their senders.
 * Mailboxes with {@link Marks#off} are told of, and are left alone. What was sent is delivered in
 * any case.
 *
 * <p>The gauge's thread may have to wait for a processor. So senders look, too, at every sixteenth
 * message to a mailbox that is not short, whether there was a collection, and hold themselves back
 * until the gauge tells. There is no promise: who fills what is left before that is too fast.
 *
 * <p>Cost: after each collection some reads on a thread of the gauge's own, and while the heap is
 * nearly full a walk over the processes; for the sixteenth message a look at a field.
 *
 * @param high the share from which on senders are held back earlier; more than {@code low}, at most
 *     1; infinite for never
 * @param low the share down from which they are not any more; more than 0
 * @param reported how many of the longest mailboxes are told of; 1 to {@link #MOST_REPORTED}
 */
public record HeapGuard(double high, double low, int reported) {
  /** The most mailboxes that are told of at a time. */
  public static final int MOST_REPORTED = 100;

  private static final HeapGuard DEFAULTS = new HeapGuard(0.80, 0.65, 5);
  private static final HeapGuard OFF = new HeapGuard(Double.POSITIVE_INFINITY, 0.65, 5);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public HeapGuard {
    if (!(high <= 1) && high != Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "the heap counts as nearly full from the share "
              + high
              + " on, but a share is at most 1: give 0.8 for 80 %, or HeapGuard.off()");
    }
    if (!(low > 0) || !(low < high)) {
      throw new IllegalArgumentException(
          "the heap counts as empty enough down from the share "
              + low
              + ", but that must be more than 0 and less than the share "
              + high
              + " from which on it is nearly full");
    }
    if (reported < 1 || reported > MOST_REPORTED) {
      throw new IllegalArgumentException(
          "the number of mailboxes to tell of is "
              + reported
              + ", but it must be from 1 to "
              + MOST_REPORTED);
    }
  }

  /**
   * The defaults: from 80 % on, until 65 %, five mailboxes told of. G1 keeps 10 % of the heap for
   * copying and gets into trouble in there; 80 % leaves as much again for what is sent until the
   * senders wait. What a heap holds that is sized well lies below 65 % after a collection.
   *
   * @return the defaults
   */
  public static HeapGuard defaults() {
    return DEFAULTS;
  }

  /**
   * No guard: only {@link Marks} hold senders back.
   *
   * @return one that never acts
   */
  public static HeapGuard off() {
    return OFF;
  }

  /**
   * Whether this never acts.
   *
   * @return true for {@link #off}
   */
  public boolean isOff() {
    return high > 1;
  }

  /**
   * Sets the two shares.
   *
   * @param newHigh the share from which on senders are held back earlier
   * @param newLow the share down from which they are not any more
   * @return a changed copy
   */
  public HeapGuard withShares(double newHigh, double newLow) {
    return new HeapGuard(newHigh, newLow, reported);
  }

  /**
   * Sets how many of the longest mailboxes are told of.
   *
   * @param mailboxes 1 to {@link #MOST_REPORTED}
   * @return a changed copy
   */
  public HeapGuard withReported(int mailboxes) {
    return new HeapGuard(high, low, mailboxes);
  }
}
