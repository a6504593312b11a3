package io.selvage.kernel.internal.process;

import io.selvage.kernel.Pid;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The links of a process that has, or had, several. Owner thread only, but for the methods that say
 * otherwise.
 */
final class LinkTable {
  /**
   * One entry for each linked process. The order of iteration follows from the ids of the
   * processes. Changed by the owner alone; a concurrent map, since observers walk over it.
   */
  private final Map<LocalProcess<?>, Bond> bonds;

  /** What {@link #poll} has not reached yet; once it has begun, nothing else may be called. */
  private @Nullable Iterator<Bond> draining;

  private @Nullable Bond left;

  /**
   * A table of one entry.
   *
   * @param other the process that is linked
   * @param link how
   */
  LinkTable(LocalProcess<?> other, Link link) {
    bonds = new ConcurrentHashMap<>();
    bonds.put(other, link);
  }

  private LinkTable(LinkTable larger) {
    bonds = new ConcurrentHashMap<>(larger.bonds);
  }

  boolean contains(LocalProcess<?> other) {
    return bonds.containsKey(other);
  }

  boolean holds(LocalProcess<?> other, Link link) {
    Bond bond = bonds.get(other);
    return bond != null && bond.holds(link);
  }

  void add(LocalProcess<?> other, Link link) {
    bonds.merge(other, link, Bond::of);
  }

  /** Removes the entry for a process, and answers what it held. */
  @Nullable Bond remove(LocalProcess<?> other) {
    return bonds.remove(other);
  }

  /** Removes one act of linking from the entry for a process. */
  void remove(LocalProcess<?> other, Link link) {
    bonds.computeIfPresent(other, (_, bond) -> bond.without(link));
  }

  /** The only link, if no more than that is left. */
  @Nullable Link only() {
    return bonds.size() == 1 && bonds.values().iterator().next() instanceof Link link ? link : null;
  }

  boolean isEmpty() {
    return bonds.isEmpty();
  }

  /** A table of the same links, no larger than they need. */
  LinkTable shrunk() {
    return new LinkTable(this);
  }

  /** Takes out any link, or null if there is none; all calls together walk once over the table. */
  @Nullable Link poll() {
    if (left == null) {
      if (draining == null) {
        draining = bonds.values().iterator();
      }
      if (!draining.hasNext()) {
        return null;
      }
      left = draining.next();
    }
    Bond bond = left;
    Link first = bond instanceof Link link ? link : bond.links().getFirst();
    left = bond.without(first);
    return first;
  }

  // ---------------------------------------------------------------- read by observers

  /** How many processes are linked. Any thread. */
  int count() {
    return bonds.size();
  }

  /** Some of the linked processes. Any thread; see {@link Links#some}. */
  List<Pid<?>> some(int most) {
    List<Pid<?>> some = new ArrayList<>();
    for (LocalProcess<?> other : bonds.keySet()) {
      if (some.size() >= most) {
        break;
      }
      some.add(other);
    }
    return some;
  }
}
