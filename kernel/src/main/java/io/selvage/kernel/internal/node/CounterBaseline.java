package io.selvage.kernel.internal.node;

import io.selvage.kernel.Baseline;
import io.selvage.kernel.Counter;
import io.selvage.kernel.Ranked;
import io.selvage.kernel.internal.process.Inspection;
import io.selvage.kernel.internal.process.LocalProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The counters of all processes at one moment, in two arrays with an entry for each slot of the
 * process table. A slot may have another process by the time of the comparison, which its id tells.
 */
public final class CounterBaseline implements Baseline {
  private static final int SMALLEST = 1024;

  private final ProcessTable table;
  private final Counter counter;
  private final long taken = System.nanoTime();

  // Filled by the constructor, only read after it.
  private long[] ids = new long[SMALLEST];
  private long[] values = new long[SMALLEST];

  CounterBaseline(ProcessTable table, Counter counter) {
    this.table = table;
    this.counter = counter;
    table.walk(this::remember);
  }

  private void remember(LocalProcess<?> process) {
    int slot = ProcessTable.slot(process.id());
    if (slot >= ids.length) {
      int larger = Math.max(slot + 1, 2 * ids.length);
      ids = Arrays.copyOf(ids, larger);
      values = Arrays.copyOf(values, larger);
    }
    ids[slot] = process.id();
    values[slot] = Inspection.counter(process, counter);
  }

  private long growth(LocalProcess<?> process) {
    long now = Inspection.counter(process, counter);
    int slot = ProcessTable.slot(process.id());
    if (slot >= ids.length || ids[slot] != process.id()) {
      return now;
    }
    long growth = now - values[slot];
    // This counter alone goes round, at 2^32: as an int the difference is right, whichever is
    // greater.
    return counter == Counter.HANDLED ? (int) growth : growth;
  }

  @Override
  public List<Ranked> top(int most) {
    return Ranking.of(table, most, this::growth);
  }

  @Override
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - taken);
  }
}
