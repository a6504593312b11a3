package io.selvage.kernel.support;

import io.selvage.kernel.spi.EventSink;
import io.selvage.kernel.spi.KernelEvent;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps a node's events. */
public final class Events implements EventSink {
  private final ConcurrentLinkedQueue<KernelEvent> events = new ConcurrentLinkedQueue<>();

  @Override
  public void accept(KernelEvent event) {
    if (event instanceof KernelEvent.ProcessCrashed && events.size() > 100_000) {
      return; // races crash hundreds of thousands on purpose
    }
    events.add(event);
  }

  /** Those of one type so far. */
  public <E extends KernelEvent> List<E> of(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
