package io.selvage.kernel.internal.observe;

import io.selvage.kernel.EventFilter;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.SpinLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
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
  private static final int SPAWNED = 1;

  private static final int ENDED = 2;
  private static final int LINKED = 4;
  private static final int UNLINKED = 8;
  private static final int REGISTERED = 16;
  private static final int UNREGISTERED = 32;
  public static final int DEAD_LETTER = 64;
  private static final int RESTARTED = 128;
  private static final int LONG_QUEUE = 256;

  /** Whatever the node's sink is told, too. */
  private static final int TOLD = 512;

  private static final Map<Class<?>, Integer> BITS =
      Map.of(
          KernelEvent.ProcessSpawned.class, SPAWNED,
          KernelEvent.ProcessRestarted.class, RESTARTED,
          KernelEvent.ProcessEnded.class, ENDED,
          KernelEvent.ProcessesLinked.class, LINKED,
          KernelEvent.ProcessesUnlinked.class, UNLINKED,
          KernelEvent.NameRegistered.class, REGISTERED,
          KernelEvent.NameUnregistered.class, UNREGISTERED,
          KernelEvent.DeadLetter.class, DEAD_LETTER,
          KernelEvent.LongQueue.class, LONG_QUEUE);

  /** One who is told. */
  private record Subscriber(
      Outlet<KernelEvent> outlet, Set<Class<? extends KernelEvent>> kinds, int bits) {
    Subscriber(Outlet<KernelEvent> outlet, Set<Class<? extends KernelEvent>> kinds) {
      this(outlet, kinds, bits(kinds));
    }

    boolean wants(KernelEvent event) {
      return kinds.contains(event.getClass()) || kinds.contains(KernelEvent.class);
    }

    private static int bits(Set<Class<? extends KernelEvent>> kinds) {
      int bits = 0;
      for (Class<?> kind : kinds) {
        bits |= kind == KernelEvent.class ? -1 : BITS.getOrDefault(kind, TOLD);
      }
      return bits;
    }
  }

  private final String nodeName;
  private final Consumer<Consumer<LocalProcess<?>>> walk;

  /** Held by those who subscribe and unsubscribe, while they copy the list. */
  private final SpinLock lock = new SpinLock();

  /** Immutable. Written under the lock, read without. */
  private volatile List<Subscriber> subscribers = List.of();

  /** Events that any subscriber lost. */
  private final LongAdder lost = new LongAdder();

  /** What any subscriber wants. Written under the lock. */
  private volatile int wanted;

  /** Under the lock. */
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

  /** Tells of a process that was started. */
  public void spawned(
      LocalProcess<?> process, @Nullable LocalProcess<?> parent, @Nullable String label) {
    if (wants(SPAWNED)) {
      tell(SPAWNED, () -> new KernelEvent.ProcessSpawned(process, parent, label));
    }
  }

  /** Tells of a process that was started in the place of another. */
  public void restarted(
      LocalProcess<?> process, LocalProcess<?> predecessor, @Nullable String label) {
    if (wants(RESTARTED)) {
      tell(RESTARTED, () -> new KernelEvent.ProcessRestarted(process, predecessor, label));
    }
  }

  /** Tells of an end. */
  public void ended(LocalProcess<?> process, ExitReason reason, long unread) {
    if (wants(ENDED)) {
      tell(ENDED, () -> new KernelEvent.ProcessEnded(process, process.label(), reason, unread));
    }
  }

  /** Tells of a link. */
  public void linked(LocalProcess<?> process, LocalProcess<?> other) {
    if (wants(LINKED)) {
      tell(LINKED, () -> new KernelEvent.ProcessesLinked(process, other));
    }
  }

  /** Tells of a link that was removed. */
  public void unlinked(LocalProcess<?> process, LocalProcess<?> other) {
    if (wants(UNLINKED)) {
      tell(UNLINKED, () -> new KernelEvent.ProcessesUnlinked(process, other));
    }
  }

  /** Tells of a name. */
  public void registered(Name<?> name, LocalProcess<?> process) {
    if (wants(REGISTERED)) {
      tell(REGISTERED, () -> new KernelEvent.NameRegistered(name, process));
    }
  }

  /** Tells of a name that was freed. */
  public void unregistered(Name<?> name) {
    if (wants(UNREGISTERED)) {
      tell(UNREGISTERED, () -> new KernelEvent.NameUnregistered(name));
    }
  }

  /**
   * Tells an event of a kind. If there is no memory for it, those who want it have lost it, and
   * whatever was about to happen goes on.
   */
  private void tell(int kind, Supplier<KernelEvent> event) {
    try {
      tell(event.get());
    } catch (OutOfMemoryError e) {
      missed(kind);
    }
  }

  /**
   * There was no memory for an event: those who want its kind have lost it.
   *
   * @param kind one of the bits
   */
  public void missed(int kind) {
    for (Subscriber subscriber : subscribers) {
      if ((subscriber.bits & kind) != 0) {
        subscriber.outlet.missed();
      }
    }
  }

  /** How many subscribers there are. */
  public int size() {
    return subscribers.size();
  }

  /** How many events subscribers have lost. */
  public long lost() {
    return lost.sum();
  }

  /** Tells everybody who wants this event. Never waits. */
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
            lost,
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
            owner,
            filter.capacity(),
            Integer.MAX_VALUE,
            lost,
            KernelEvent.EventsLost::new,
            toMessage);
    own(owner, outlet);
    add(filter, outlet);
    return outlet;
  }

  /** A process owns an outlet. */
  static void own(LocalProcess<?> owner, Outlet<?> outlet) {
    if (!owner.own(outlet)) {
      throw new IllegalStateException(owner + " is ending: it cannot subscribe to anything");
    }
  }

  private String threadName(String what) {
    return "selvage-" + nodeName + "-" + what;
  }

  private void add(EventFilter filter, Outlet<KernelEvent> outlet) {
    Subscriber subscriber = new Subscriber(outlet, filter.kinds());
    boolean looks = (subscriber.bits & LONG_QUEUE) != 0;
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
    boolean entered = false;
    try {
      if (outlet instanceof FunctionOutlet<?> functionOutlet) {
        functionOutlet.start();
      }
      if (watch != null) {
        watch.start();
      }
      entered = enter(subscriber);
      if (!entered) {
        throw new IllegalStateException(
            "the node is closed or closing: nothing can be subscribed to");
      }
    } finally {
      if (!entered) { // closed, or no memory for a thread
        outlet.close();
      }
    }
  }

  private boolean enter(Subscriber subscriber) {
    lock.acquire();
    try {
      if (!closed) {
        List<Subscriber> more = new ArrayList<>(subscribers);
        more.add(subscriber);
        setSubscribers(List.copyOf(more));
      }
      return !closed;
    } finally {
      lock.release();
    }
  }

  private void remove(Subscriber subscriber) {
    lock.acquire();
    try {
      setSubscribers(subscribers.stream().filter(other -> other != subscriber).toList());
    } finally {
      lock.release();
    }
  }

  /** Under the lock. */
  private void setSubscribers(List<Subscriber> newSubscribers) {
    int bits = 0;
    for (Subscriber subscriber : newSubscribers) {
      bits |= subscriber.bits;
    }
    subscribers = newSubscribers;
    wanted = bits;
  }

  /** The node has closed: ends all subscriptions. */
  public void close() {
    List<Subscriber> all;
    lock.acquire();
    try {
      closed = true;
      all = subscribers;
    } finally {
      lock.release();
    }
    all.forEach(subscriber -> subscriber.outlet.close());
  }
}
