package io.selvage.channel.stage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of one stage, and who of them gets an item. Used by the stage's process alone.
 *
 * @param <T> the items
 */
abstract sealed class Dispatcher<T> {
  /** In the order in which they came. */
  final List<Line<T>> lines = new ArrayList<>();

  static <T> Dispatcher<T> of(Dispatch<T> rule) {
    return switch (rule) {
      case Dispatch.ToDemand<T> _ -> new ToDemand<>();
      case Dispatch.Broadcast<T>(int consumers) -> new ToAll<>(consumers);
      case Dispatch.Partition<T>(int number, var partitionOf) -> new ToOne<>(number, partitionOf);
    };
  }

  /** Whether an item may be made. It may still turn out that whoever should get it wants none. */
  abstract boolean wants();

  /** Gives an item to whom it belongs, or answers false if there is no demand there. */
  abstract boolean give(T item);

  /** All have come that will: waits for no more of them. */
  void start() {}

  /** The demand has changed, or the consumers. */
  void changed() {}

  /** One more, or one less. */
  void consumersChanged() {}

  /** Adds a consumer, or answers why it cannot be. */
  final @Nullable String add(Line<T> line) {
    String wrong = whyNot(line, line.subscription.options().partition());
    if (wrong == null) {
      lines.add(line);
      line.joined = true;
      consumersChanged();
      changed();
    }
    return wrong;
  }

  @Nullable String whyNot(Line<T> line, int partition) {
    if (partition >= 0) {
      return line.producer
          + " was asked for its partition "
          + partition
          + ", but has none: leave inPartition(…) out, or give it Dispatch.partition(…)";
    }
    for (Line<T> each : lines) {
      if (each.consumer.equals(line.consumer)) {
        return line.consumer
            + " has subscribed to "
            + line.producer
            + " already: cancel that subscription first, or use it";
      }
    }
    return null;
  }

  final boolean remove(Line<T> line) {
    if (!line.joined) {
      return false;
    }
    line.joined = false;
    lines.remove(line);
    consumersChanged();
    changed();
    return true;
  }

  final void ask(Line<T> line, int items) {
    if (line.joined) { // else it has left
      line.asked(items);
      changed();
    }
  }

  final long demand() {
    long sum = 0;
    for (Line<T> each : lines) {
      sum = sum + each.demand < 0 ? Long.MAX_VALUE : sum + each.demand;
    }
    return sum;
  }

  final void flush() {
    for (Line<T> each : lines) {
      each.flush();
    }
  }

  /** To the greatest demand. */
  private static final class ToDemand<T> extends Dispatcher<T> {
    /** Where to begin looking: behind the one that got the last item, so that equals take turns. */
    private int next;

    @Override
    boolean wants() {
      for (Line<T> each : lines) {
        if (each.demand > 0) {
          return true;
        }
      }
      return false;
    }

    @Override
    boolean give(T item) {
      int count = lines.size();
      int best = -1;
      long most = 0;
      for (int i = 0; i < count; i++) {
        int index = (next + i) % count;
        if (lines.get(index).demand > most) {
          most = lines.get(index).demand;
          best = index;
        }
      }
      if (best < 0) {
        return false;
      }
      lines.get(best).give(item);
      next = best + 1;
      return true;
    }
  }

  /** To all, when all want. */
  private static final class ToAll<T> extends Dispatcher<T> {
    private final int needed;
    private boolean started;

    /** The least that a consumer wants. */
    private long least;

    ToAll(int needed) {
      this.needed = needed;
    }

    @Override
    void start() {
      started = true;
      changed();
    }

    @Override
    void changed() {
      started |= lines.size() >= needed;
      least = started && !lines.isEmpty() ? Long.MAX_VALUE : 0;
      for (Line<T> each : lines) {
        least = Math.min(least, each.demand);
      }
    }

    @Override
    boolean wants() {
      return least > 0;
    }

    @Override
    boolean give(T item) {
      if (least == 0) {
        return false;
      }
      least--;
      for (Line<T> each : lines) {
        each.give(item);
      }
      return true;
    }
  }

  /** To the one of its partition. */
  private static final class ToOne<T> extends Dispatcher<T> {
    private final int number;
    private final ToIntFunction<? super T> partitionOf;

    /** By partition. */
    private final List<@Nullable Line<T>> owners;

    ToOne(int number, ToIntFunction<? super T> partitionOf) {
      this.number = number;
      this.partitionOf = partitionOf;
      this.owners = new ArrayList<>(Collections.nCopies(number, null));
    }

    @Override
    void consumersChanged() {
      Collections.fill(owners, null);
      for (Line<T> each : lines) {
        owners.set(each.subscription.options().partition(), each);
      }
    }

    @Override
    @Nullable String whyNot(Line<T> line, int partition) {
      if (partition < 0 || partition >= number) {
        return line.consumer
            + " wants "
            + (partition < 0 ? "no partition" : "partition " + partition)
            + " of "
            + line.producer
            + ", which has those from 0 to "
            + (number - 1)
            + ": choose one by inPartition(…)";
      }
      Line<T> owner = owners.get(partition);
      return owner == null
          ? null
          : "partition "
              + partition
              + " of "
              + line.producer
              + " belongs to "
              + owner.consumer
              + ": give "
              + line.consumer
              + " another";
    }

    @Override
    boolean wants() {
      for (Line<T> each : lines) {
        if (each.demand > 0) {
          return true;
        }
      }
      return false;
    }

    @Override
    boolean give(T item) {
      int partition = partitionOf.applyAsInt(item);
      if (partition < 0 || partition >= number) {
        throw new IllegalArgumentException(
            "the partition of "
                + item
                + " is "
                + partition
                + ", but there are those from 0 to "
                + (number - 1)
                + ": correct the function given to Dispatch.partition(…)");
      }
      Line<T> owner = owners.get(partition);
      if (owner == null || owner.demand == 0) {
        return false;
      }
      owner.give(item);
      return true;
    }
  }
}
