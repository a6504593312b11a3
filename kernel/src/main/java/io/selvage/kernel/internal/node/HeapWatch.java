package io.selvage.kernel.internal.node;

import io.selvage.kernel.Backlog;
import io.selvage.kernel.HeapGuard;
import io.selvage.kernel.Ranked;
import io.selvage.kernel.internal.process.Inspection;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.HeapGauge;
import io.selvage.kernel.spi.KernelEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Lowers the marks of a node while the heap is nearly full; see {@link HeapGuard}.
 *
 * <pre>
 *   RELAXED ── share ≥ high, or will be if it grows as it has ──► PRESSED: the mark is half of the longest mailbox
 *   PRESSED ── share ≥ high, and old objects were collected ──► PRESSED: the mark is halved; the longest mailboxes are told of
 *   PRESSED ── share ≤ low ──► RELAXED
 * </pre>
 *
 * <p>One mark for all mailboxes sinks like the level of a lake: those that stand out are held, the
 * longest first, and nobody needs to know which. Where no old objects were collected the share may
 * be garbage, so nothing is told, and the mark sinks no further: that senders of the longest
 * mailboxes are held back for a while costs little, since their receivers have enough to do.
 *
 * <p>What has come since the collection before may come again until the next: a heap whose young
 * part is large goes from half full to full in one step, and the first reading over the high share
 * would be the last one. So the step is expected once more.
 *
 * <p>The gauge's thread may have to wait for a processor, and a sender that needs no time for its
 * messages fills what is left of the heap meanwhile. So senders look, too, at every sixteenth
 * message to a mailbox that is not short: whether there was a collection of which the gauge has not
 * told yet. The mark is then half of that mailbox, until the gauge tells and the rules above are
 * applied as if nothing had been.
 *
 * <p>Rejected: marks of their own for the longest few. A thousand mailboxes of ten messages each
 * can fill a heap, too. Asking messages for their size: nobody knows what an object holds. Refusing
 * messages: what was sent is delivered.
 *
 * <p>By one thread at a time, but for what is said to be otherwise.
 */
final class HeapWatch implements Consumer<HeapGauge.Reading> {
  private final LocalNode node;
  private final HeapGuard guard;
  private final HeapGauge gauge;
  private final LongAdder pressures = new LongAdder();
  private final Consumer<LocalProcess<?>> look = this::look;

  /** The mark, or none. Written by the gauge's thread. */
  private volatile int mark = LocalNode.NO_MARK;

  /** One that a sender has set until there is word from the gauge's thread, or none. */
  private final AtomicInteger hasty = new AtomicInteger(LocalNode.NO_MARK);

  /** How often it has sunk since the heap was relaxed and somebody was told. */
  private long told;

  /** When it began, by the node's clock. */
  private long since;

  /** The share in use after the collection before; the first one has none to compare with. */
  private volatile double before = 1;

  /** How many there have been. Written by the gauge's thread. */
  private final AtomicInteger readings = new AtomicInteger();

  private int longest;

  /** Set by who closes the node. */
  private volatile boolean closed;

  HeapWatch(LocalNode node, HeapGuard guard, HeapGauge gauge) {
    this.node = node;
    this.guard = guard;
    this.gauge = gauge;
  }

  void start() {
    if (!guard.isOff()) {
      gauge.watch(this);
    }
  }

  void close() {
    closed = true;
    if (!guard.isOff()) {
      gauge.unwatch(this);
    }
  }

  /** How often the heap has become nearly full. Any thread. */
  long pressures() {
    return pressures.sum();
  }

  /** The mark that holds now, or none. Any thread. */
  int mark() {
    return Math.min(mark, hasty.get());
  }

  /**
   * A mailbox grows. If there was a collection of which the gauge has not told yet, does not wait
   * for it. By the thread of a sender. Needs memory only if there was one.
   *
   * @param receiver whose mailbox it is
   */
  void hurry(LocalProcess<?> receiver) {
    if (guard.isOff() || closed) {
      return;
    }
    if (mark() != LocalNode.NO_MARK) {
      node.refreshMarksIfRelaxed(); // whoever has set it may have lost its processor
      return;
    }
    int seen = readings.get();
    HeapGauge.Reading reading = gauge.untold();
    if (reading == null || expected(reading) < guard.high() || receiver.isUnmarked()) {
      return;
    }
    int half = Math.max(1, receiver.observedLength() / 2);
    if (hasty.compareAndSet(LocalNode.NO_MARK, half)) {
      // Either the reading is still to come, and then takes it away, or it has come before.
      if (readings.get() != seen) {
        hasty.compareAndSet(half, LocalNode.NO_MARK);
      }
      node.refreshMarks();
    }
  }

  private double expected(HeapGauge.Reading reading) {
    double share = reading.share();
    return share + Math.max(0, share - before);
  }

  @Override
  public void accept(HeapGauge.Reading reading) {
    if (closed) {
      return;
    }
    double share = reading.share();
    double expected = expected(reading);
    before = share;
    boolean tells = share >= guard.high() && reading.old();
    boolean relieved = false;
    if (mark == LocalNode.NO_MARK) {
      if (expected >= guard.high()) {
        pressures.increment();
        since = node.nanoTime();
        sink();
      }
    } else if (tells && told > 0) { // else the present mark has just begun to act
      sink();
    } else if (share <= guard.low() && expected < guard.high()) {
      mark = LocalNode.NO_MARK;
      relieved = told > 0; // else nobody knows that it was not
    }
    readings.incrementAndGet();
    hasty.set(LocalNode.NO_MARK); // whoever was hasty, this knows better
    node.refreshMarks();
    if (tells) {
      tell(reading);
    } else if (relieved) {
      tellRelief(reading);
    }
  }

  private void sink() {
    longest = 0;
    node.table().walk(look);
    mark = Math.max(1, Math.min(mark, longest) / 2);
  }

  private void look(LocalProcess<?> process) {
    if (!process.isUnmarked()) {
      longest = Math.max(longest, process.observedLength());
    }
  }

  private void tell(HeapGauge.Reading reading) {
    told++;
    try {
      List<Backlog> backlogs =
          Ranking.of(node.table(), guard.reported(), LocalProcess::observedLength).stream()
              .map(HeapWatch::backlog)
              .toList();
      node.emit(new KernelEvent.HeapPressure(reading.used(), reading.max(), mark, backlogs, told));
    } catch (OutOfMemoryError e) {
      return; // the mark is what counts
    }
  }

  private static Backlog backlog(Ranked ranked) {
    return Inspection.census((LocalProcess<?>) ranked.pid());
  }

  private void tellRelief(HeapGauge.Reading reading) {
    told = 0;
    Duration lasted = Duration.ofNanos(Math.max(0, node.nanoTime() - since));
    node.emit(new KernelEvent.HeapRelieved(reading.used(), reading.max(), lasted));
  }
}
