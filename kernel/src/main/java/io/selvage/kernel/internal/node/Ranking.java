package io.selvage.kernel.internal.node;

import io.selvage.kernel.Node;
import io.selvage.kernel.Ranked;
import io.selvage.kernel.internal.process.LocalProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;

/**
 * The greatest of many processes by some number, found in one walk over the table with memory for
 * those alone: a heap whose root is the least of them, which most processes do not exceed.
 */
final class Ranking {
  private Ranking() {}

  /** The processes with the greatest numbers, greatest first; only numbers above zero count. */
  static List<Ranked> of(ProcessTable table, int most, ToLongFunction<LocalProcess<?>> number) {
    if (most < 1 || most > Node.MOST_RANKED) {
      throw new IllegalArgumentException(
          "the number of processes to rank is "
              + most
              + ", but it must be from 1 to "
              + Node.MOST_RANKED);
    }
    PriorityQueue<Ranked> heap = new PriorityQueue<>(Comparator.comparingLong(Ranked::value));
    table.walk(process -> {
      long value = number.applyAsLong(process);
      if (value <= 0) {
        return;
      }
      if (heap.size() < most) {
        heap.add(new Ranked(process, value));
      } else if (value > Objects.requireNonNull(heap.peek()).value()) {
        heap.poll();
        heap.add(new Ranked(process, value));
      }
    });
    List<Ranked> ranked = new ArrayList<>(heap);
    ranked.sort(Comparator.comparingLong(Ranked::value).reversed());
    return List.copyOf(ranked);
  }
}
