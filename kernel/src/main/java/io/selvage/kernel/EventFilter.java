package io.selvage.kernel;

import io.selvage.kernel.spi.KernelEvent;
import java.util.Set;

/**
 * Which events a subscriber wants, and how many may wait for it. Immutable: each {@code with…}
 * answers a changed copy.
 *
 * <pre>{@code
 * EventFilter.of(KernelEvent.ProcessEnded.class, KernelEvent.LongQueue.class).withLongQueue(1_000)
 * }</pre>
 *
 * @param kinds the classes of the events; {@code KernelEvent.class} stands for all
 * @param capacity how many events may wait for the subscriber before more are lost; 1 or more
 * @param longQueue how many messages make a {@link KernelEvent.LongQueue}; 1 or more
 */
public record EventFilter(Set<Class<? extends KernelEvent>> kinds, int capacity, int longQueue) {
  private static final int CAPACITY = 1024;
  private static final int LONG_QUEUE = 10_000;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public EventFilter {
    kinds = Set.copyOf(kinds);
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException(
          "the set of kinds of events is empty, so that nothing would ever come: name a kind, or KernelEvent.class for all");
    }
    ensurePositive(capacity, "capacity");
    ensurePositive(longQueue, "length of a long queue");
  }

  static void ensurePositive(int number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "the " + what + " is " + number + ", but it must be 1 or more");
    }
  }

  /**
   * Some kinds, with a capacity of 1024, where 10 000 messages are a long queue.
   *
   * @param kinds the classes of the events, without repetition
   * @return the filter
   * @throws IllegalArgumentException if a kind is named twice, or none is
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the set takes the elements, not the array
  public static EventFilter of(Class<? extends KernelEvent>... kinds) {
    return new EventFilter(Set.of(kinds), CAPACITY, LONG_QUEUE);
  }

  /**
   * Sets how many events may wait for the subscriber.
   *
   * @param newCapacity 1 or more
   * @return a changed copy
   */
  public EventFilter withCapacity(int newCapacity) {
    return new EventFilter(kinds, newCapacity, longQueue);
  }

  /**
   * Sets how many waiting messages are told as a {@link KernelEvent.LongQueue}.
   *
   * @param messages 1 or more
   * @return a changed copy
   */
  public EventFilter withLongQueue(int messages) {
    return new EventFilter(kinds, capacity, messages);
  }
}
