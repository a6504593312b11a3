package io.selvage.otp;

import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which worker of a pool gets a message. The pool's own. */
final class PoolRouter<M> {
  /** How many points each worker has on the ring: more spread the keys more evenly. */
  private static final int POINTS = 64;

  /** How many keys a sticky pool knows. */
  private static final int KEYS = 10_000;

  private final PoolOptions.Routing<M> routing;
  private final Node node;

  /** Of the worker that was chosen last, if each has its turn. */
  private int turn;

  /** The points of the workers; a key belongs to the next one. Only if keys are hashed. */
  private final TreeMap<Integer, PoolSlot<M>> ring = new TreeMap<>();

  /** Where keys went, if they are to stay; the one that was asked for longest ago is forgotten. */
  private final Map<Object, PoolSlot<M>> stuck =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, PoolSlot<M>> eldest) {
          return size() > KEYS;
        }
      };

  PoolRouter(PoolOptions.Routing<M> routing, Node node) {
    this.routing = routing;
    this.node = node;
  }

  boolean needsKey() {
    return routing instanceof PoolOptions.Routing.Hashed<M>
        || routing instanceof PoolOptions.Routing.Sticky<M>;
  }

  /** The key of a message; null if it may go to any worker. */
  @Nullable Object key(M message) {
    return switch (routing) {
      case PoolOptions.Routing.Hashed<M>(var key) -> nonNull(key.apply(message));
      case PoolOptions.Routing.Sticky<M>(var key) -> nonNull(key.apply(message));
      case PoolOptions.Routing.RoundRobin<M>() -> null;
      case PoolOptions.Routing.LeastLoaded<M>() -> null;
    };
  }

  private static Object nonNull(@Nullable Object key) {
    return Objects.requireNonNull(key, "the key of a message is null");
  }

  void resized(List<PoolSlot<M>> slots) {
    if (routing instanceof PoolOptions.Routing.Hashed<M>) {
      ring.clear();
      for (PoolSlot<M> slot : slots) {
        for (int point = 0; point < POINTS; point++) {
          ring.putIfAbsent(mix(slot.index * POINTS + point + 1), slot);
        }
      }
    }
    stuck.values().removeIf(slot -> !slots.contains(slot));
  }

  /** Spreads numbers that are close to each other. Source: the finalizer of MurmurHash3. */
  private static int mix(int number) {
    int h = number;
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  /** Where a key belongs. */
  PoolSlot<M> slotOf(Object key, List<PoolSlot<M>> slots) {
    if (routing instanceof PoolOptions.Routing.Hashed<M>) {
      Map.Entry<Integer, PoolSlot<M>> point = ring.ceilingEntry(mix(key.hashCode()));
      return (point == null ? ring.firstEntry() : point).getValue();
    }
    PoolSlot<M> known = stuck.get(key);
    if (known == null) {
      known = leastLoaded(slots, PoolSlot::isAvailable);
      if (known == null) {
        known = slots.get(Math.floorMod(mix(key.hashCode()), slots.size())); // all are taken
      }
      stuck.put(key, known);
    }
    return known;
  }

  /** One of those that pass a test, by the rule; null if there is none. */
  @Nullable PoolSlot<M> choose(List<PoolSlot<M>> slots, Predicate<PoolSlot<M>> test) {
    if (routing instanceof PoolOptions.Routing.LeastLoaded<M>) {
      return leastLoaded(slots, test);
    }
    for (int i = 0; i < slots.size(); i++) {
      int place = (turn + i) % slots.size();
      PoolSlot<M> slot = slots.get(place);
      if (test.test(slot)) {
        turn = place + 1;
        return slot;
      }
    }
    return null;
  }

  private @Nullable PoolSlot<M> leastLoaded(List<PoolSlot<M>> slots, Predicate<PoolSlot<M>> test) {
    PoolSlot<M> least = null;
    long load = Long.MAX_VALUE;
    for (int i = 0; i < slots.size(); i++) {
      PoolSlot<M> slot = slots.get((turn + i) % slots.size());
      if (test.test(slot)) {
        long its = load(slot);
        if (its < load) {
          least = slot;
          load = its;
        }
      }
    }
    turn = least == null ? turn : slots.indexOf(least) + 1; // equals take turns
    return least;
  }

  private long load(PoolSlot<M> slot) {
    Pid<M> worker = slot.worker;
    return worker == null
        ? Long.MAX_VALUE
        : slot.calls + node.info(worker, 0).map(ProcessInfo::mailbox).orElse(0L);
  }
}
