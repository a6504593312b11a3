package io.selvage.kernel.internal.process;

import io.selvage.kernel.Backlog;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts what waits in the mailbox of a process, from another thread.
 *
 * <p>The two lists of a mailbox (see {@link LocalProcess}) are walked for a bounded number of steps
 * while their owner may be changing them, as all that {@link Inspection} walks. So a process that
 * is stuck in a handler, the one whose mailbox is long, is counted exactly, and needs not be asked.
 * Where the owner changes a list under the walk, that ends early or goes on in the other list; what
 * it reads of a message is final.
 *
 * <p>Senders and classes are counted by Space-Saving (Metwally, Agrawal and El Abbadi, "Efficient
 * computation of frequent and top-k elements in data streams", 2005) with {@link #COUNTERS} each: a
 * newcomer that finds no counter free takes over the lowest, with its count as the possible error.
 * So whoever has more than a sixteenth of all is in the list, in constant memory. Unlike there, the
 * lowest is looked for among all, which are few.
 */
final class Census {
  /** How many senders, and how many classes, are counted apart. */
  static final int COUNTERS = 16;

  /** How many signals are looked at in each of the two lists. */
  static final int MOST = 10_000;

  /** One that is counted. */
  private static final class Tally {
    private long count;
    private long error;
  }

  /** The most frequent elements of a stream. */
  private static final class Frequent<K> {
    private final Map<K, Tally> tallies = HashMap.newHashMap(COUNTERS);

    void add(K key) {
      Tally tally = tallies.get(key);
      if (tally == null) {
        tally = tallies.size() < COUNTERS ? new Tally() : takeLowest();
        tallies.put(key, tally);
      }
      tally.count++;
    }

    private Tally takeLowest() {
      Map.Entry<K, Tally> lowest = null;
      for (Map.Entry<K, Tally> each : tallies.entrySet()) {
        if (lowest == null || each.getValue().count < lowest.getValue().count) {
          lowest = each;
        }
      }
      Tally tally = lowest == null ? new Tally() : lowest.getValue();
      if (lowest != null) {
        tallies.remove(lowest.getKey());
      }
      tally.error = tally.count;
      return tally;
    }

    List<Map.Entry<K, Tally>> sorted() {
      return tallies.entrySet().stream()
          .sorted(Comparator.comparingLong(each -> -each.getValue().count))
          .toList();
    }
  }

  /** A process, or none: a map's key must not be null. */
  private record From(@Nullable LocalProcess<?> process) {}

  private final LocalProcess<?> process;
  private final Frequent<From> senders = new Frequent<>();
  private final Frequent<String> types = new Frequent<>();
  private long counted;
  private long longest = -1;

  private Census(LocalProcess<?> process) {
    this.process = process;
  }

  /** What waits in a mailbox now. Any thread. */
  static Backlog of(LocalProcess<?> process) {
    Census census = new Census(process);
    process.walkUnread(census::count, MOST);
    process.walkInbox(census::count, MOST);
    return census.result();
  }

  private void count(Signal signal) {
    if (!signal.isMessage()) {
      return;
    }
    counted++;
    senders.add(new From(signal.sender()));
    types.add(signal.letter().getClass().getName());
    if (signal instanceof Request request) {
      longest = Math.max(longest, request.call.nanosWaited());
    }
  }

  private Backlog result() {
    return new Backlog(
        process,
        process.observedLength(),
        counted,
        senders.sorted().stream()
            .map(each ->
                new Backlog.Sender(
                    each.getKey().process(), each.getValue().count, each.getValue().error))
            .toList(),
        types.sorted().stream()
            .map(each ->
                new Backlog.Type(each.getKey(), each.getValue().count, each.getValue().error))
            .toList(),
        duration(longest),
        waits(process.waitsOrNull()));
  }

  private Optional<Backlog.Waits> waits(@Nullable WaitGauge gauge) {
    if (gauge == null) {
      return Optional.empty();
    }
    long measured = gauge.measured(); // first: who sees a number sees a wait
    Optional<Duration> underWay = duration(gauge.underWay(process));
    if (measured == 0) {
      return underWay.map(
          _ -> new Backlog.Waits(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, underWay));
    }
    long since = Math.max(0, process.node.nanoTime() - gauge.lastAt());
    return Optional.of(
        new Backlog.Waits(
            measured,
            Duration.ofNanos(gauge.last()),
            Duration.ofNanos(gauge.mean()),
            Duration.ofNanos(since),
            underWay));
  }

  private static Optional<Duration> duration(long nanos) {
    return nanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }
}
