package io.selvage.kernel.support;

import io.selvage.kernel.spi.EventSink;
import io.selvage.kernel.spi.KernelEvent;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps a node's events. */
public final class Events implements EventSink {
  /** Races crash hundreds of thousands on purpose: more than this are not kept. */
  private static final int MOST_CRASHES = 10_000;

  private final AtomicInteger crashes = new AtomicInteger();
  private final ConcurrentLinkedQueue<KernelEvent> events = new ConcurrentLinkedQueue<>();

  @Override
  public void accept(KernelEvent event) {
    if (event instanceof KernelEvent.ProcessCrashed && crashes.incrementAndGet() > MOST_CRASHES) {
      return;
    }
    events.add(event);
  }

  /** Those of one type so far. */
  public <E extends KernelEvent> List<E> of(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
