package io.selvage.kernel;

/**
 * How much a {@link TraceSession} may tell. Immutable: each {@code with…} answers a changed copy.
 *
 * @param capacity how many entries may wait for the sink before more are lost; 1 or more
 * @param perSecond how many entries may be made in a second before more are lost; 1 or more
 */
public record TraceOptions(int capacity, int perSecond) {
  private static final TraceOptions DEFAULTS = new TraceOptions(1024, 10_000);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public TraceOptions {
    EventFilter.ensurePositive(capacity, "capacity");
    EventFilter.ensurePositive(perSecond, "number of entries in a second");
  }

  /**
   * 1024 entries may wait, and 10 000 may come in a second.
   *
   * @return the defaults
   */
  public static TraceOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how many entries may wait for the sink.
   *
   * @param newCapacity 1 or more
   * @return a changed copy
   */
  public TraceOptions withCapacity(int newCapacity) {
    return new TraceOptions(newCapacity, perSecond);
  }

  /**
   * Sets how many entries may come in a second.
   *
   * @param entries 1 or more
   * @return a changed copy
   */
  public TraceOptions withPerSecond(int entries) {
    return new TraceOptions(capacity, entries);
  }
}
