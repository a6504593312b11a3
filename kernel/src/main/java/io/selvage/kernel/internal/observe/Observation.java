package io.selvage.kernel.internal.observe;

import io.selvage.kernel.EventFilter;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.KernelEvent;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who wants to be told what happens in a node.
 *
 * <p>The places where things happen ask {@link #wants} first, one read of a word that changes only
 * when subscribers come and go, and make the event only if it says yes. Nothing is asked on the way
 * of a message that arrives: long queues are found by a thread that looks at all mailboxes, and
 * runs only while somebody subscribes to them.
 */
public final class Observation {
  /** Bits of {@link #wants}: kinds of events. */
  public static final int SPAWNED = 1;

  public static final int ENDED = 2;
  public static final int LINKED = 4;
  public static final int UNLINKED = 8;
  public static final int REGISTERED = 16;
  public static final int UNREGISTERED = 32;
  public static final int DEAD_LETTER = 64;
  private static final int LONG_QUEUE = 128;

  /** Whatever the node's sink is told, too. */
  private static final int TOLD = 256;

  private static final Map<Class<?>, Integer> BITS =
      Map.of(
          KernelEvent.ProcessSpawned.class, SPAWNED,
          KernelEvent.ProcessEnded.class, ENDED,
          KernelEvent.ProcessesLinked.class, LINKED,
          KernelEvent.ProcessesUnlinked.class, UNLINKED,
          KernelEvent.NameRegistered.class, REGISTERED,
          KernelEvent.NameUnregistered.class, UNREGISTERED,
          KernelEvent.DeadLetter.class, DEAD_LETTER,
          KernelEvent.LongQueue.class, LONG_QUEUE);

  /** One who is told. */
  private record Subscriber(Outlet<KernelEvent> outlet, Set<Class<? extends KernelEvent>> kinds) {
    boolean wants(KernelEvent event) {
      return kinds.contains(event.getClass()) || kinds.contains(KernelEvent.class);
    }

    int bits() {
      int bits = 0;
      for (Class<?> kind : kinds) {
        bits |= kind == KernelEvent.class ? -1 : BITS.getOrDefault(kind, TOLD);
      }
      return bits;
    }
  }

  private final String nodeName;
  private final Consumer<Consumer<LocalProcess<?>>> walk;

  /** Held by those who subscribe and unsubscribe. */
  private final ReentrantLock lock = new ReentrantLock();

  private final CopyOnWriteArraySet<Subscriber> subscribers = new CopyOnWriteArraySet<>();

  /** What any subscriber wants. Written under the lock. */
  private volatile int wanted;

  private boolean closed;

  /**
   * Nobody yet.
   *
   * @param nodeName for the names of threads
   * @param walk shows all processes
   */
  public Observation(String nodeName, Consumer<Consumer<LocalProcess<?>>> walk) {
    this.nodeName = nodeName;
    this.walk = walk;
  }

  /** Whether anybody wants events of a kind. */
  public boolean wants(int kind) {
    return (wanted & kind) != 0;
  }

  /** Tells everybody who wants this event. Never waits and never throws. */
  public void tell(KernelEvent event) {
    for (Subscriber subscriber : subscribers) {
      if (subscriber.wants(event)) {
        subscriber.outlet.offer(event);
      }
    }
  }

  /** Tells an event that the node's sink gets as well. */
  public void tellToo(KernelEvent event) {
    if (wants(TOLD)) {
      tell(event);
    }
  }

  /** Subscribes a function; see {@link io.selvage.kernel.Node#subscribe}. */
  public Outlet<KernelEvent> subscribe(EventFilter filter, Consumer<? super KernelEvent> function) {
    FunctionOutlet<KernelEvent> outlet =
        new FunctionOutlet<>(
            threadName("events"),
            filter.capacity(),
            Integer.MAX_VALUE,
            KernelEvent.EventsLost::new,
            function);
    add(filter, outlet);
    return outlet;
  }

  /** Subscribes a process; see {@link io.selvage.kernel.Self#subscribe}. */
  public Outlet<KernelEvent> subscribe(
      EventFilter filter, LocalProcess<?> owner, Function<? super KernelEvent, ?> toMessage) {
    ProcessOutlet<KernelEvent> outlet =
        new ProcessOutlet<>(
            owner, filter.capacity(), Integer.MAX_VALUE, KernelEvent.EventsLost::new, toMessage);
    add(filter, outlet);
    return outlet;
  }

  private String threadName(String what) {
    return "selvage-" + nodeName + "-" + what;
  }

  private void add(EventFilter filter, Outlet<KernelEvent> outlet) {
    Subscriber subscriber = new Subscriber(outlet, filter.kinds());
    boolean looks = (subscriber.bits() & LONG_QUEUE) != 0;
    QueueWatch watch =
        looks
            ? new QueueWatch(threadName("queues"), walk, filter.longQueue(), outlet::offer)
            : null;
    outlet.whenClosed(() -> {
      remove(subscriber);
      if (watch != null) {
        watch.close();
      }
    });
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException(
            "the node is closed or closing: nothing can be subscribed to");
      }
      startThreads(outlet, watch);
      subscribers.add(subscriber);
      wanted |= subscriber.bits();
    } finally {
      lock.unlock();
    }
  }

  private static void startThreads(Outlet<?> outlet, @Nullable QueueWatch watch) {
    if (outlet instanceof FunctionOutlet<?> function) {
      function.start();
    }
    if (watch != null) {
      try {
        watch.start();
      } catch (OutOfMemoryError e) { // of threads
        outlet.close();
        throw e;
      }
    }
  }

  private void remove(Subscriber subscriber) {
    lock.lock();
    try {
      subscribers.remove(subscriber);
      int bits = 0;
      for (Subscriber other : subscribers) {
        bits |= other.bits();
      }
      wanted = bits;
    } finally {
      lock.unlock();
    }
  }

  /** The node has closed: ends all subscriptions. */
  public void close() {
    Set<Subscriber> all;
    lock.lock();
    try {
      closed = true;
      all = new HashSet<>(subscribers);
    } finally {
      lock.unlock();
    }
    all.forEach(subscriber -> subscriber.outlet.close());
  }
}
