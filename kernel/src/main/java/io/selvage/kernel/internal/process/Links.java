package io.selvage.kernel.internal.process;

import io.selvage.kernel.Pid;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The links of one process: at most one entry for each other process, most often none or one. An
 * entry holds more than one {@link Link} only after both ends linked at the same time. Owner thread
 * only, but for the two methods at the end.
 */
final class Links {
  /** The only link, if there is just one. */
  private @Nullable Link single;

  /**
   * All links, as soon as there was more than one. The order of iteration follows from the ids of
   * the processes. Changed by the owner alone; a concurrent map, since observers walk over it.
   */
  private volatile @Nullable Map<LocalProcess<?>, List<Link>> many;

  /** What {@link #poll} has not reached yet; once it has begun, nothing else may be called. */
  private @Nullable Iterator<List<Link>> draining;

  private List<Link> left = List.of();
  private final LocalProcess<?> owner;

  Links(LocalProcess<?> owner) {
    this.owner = owner;
  }

  boolean contains(LocalProcess<?> other) {
    if (many != null) {
      return many.containsKey(other);
    }
    return single != null && single.other(owner) == other;
  }

  void add(Link link) {
    if (many == null) {
      if (single == null) {
        single = link;
        return;
      }
      Map<LocalProcess<?>, List<Link>> first = new ConcurrentHashMap<>();
      first.put(single.other(owner), List.of(single));
      many = first;
      single = null;
    }
    many.merge(
        link.other(owner),
        List.of(link),
        (old, added) -> {
          List<Link> both = new ArrayList<>(old);
          both.addAll(added);
          return List.copyOf(both);
        });
  }

  /** Gives back what is left of a table that was larger once. */
  void shrink() {
    Map<LocalProcess<?>, List<Link>> all = many;
    if (all == null) {
      return;
    }
    if (all.isEmpty()) {
      many = null;
    } else if (all.size() == 1 && all.values().iterator().next().size() == 1) {
      single = all.values().iterator().next().getFirst();
      many = null;
    } else {
      many = new ConcurrentHashMap<>(all);
    }
  }

  /** Removes the entry for a process and answers what it held. */
  List<Link> remove(LocalProcess<?> other) {
    if (many != null) {
      List<Link> removed = many.remove(other);
      return removed == null ? List.of() : removed;
    }
    if (single != null && single.other(owner) == other) {
      List<Link> removed = List.of(single);
      single = null;
      return removed;
    }
    return List.of();
  }

  /** Removes one act of linking from the entry for a process. */
  void remove(LocalProcess<?> other, Link link) {
    if (many == null) {
      if (single == link) {
        single = null;
      }
      return;
    }
    many.computeIfPresent(
        other,
        (_, links) -> {
          List<Link> rest = links.stream().filter(l -> l != link).toList();
          return rest.isEmpty() ? null : rest;
        });
  }

  /** Whether the entry for a process holds this link. */
  boolean carries(LocalProcess<?> other, Link link) {
    if (many == null) {
      return single == link;
    }
    List<Link> links = many.get(other);
    return links != null && links.contains(link);
  }

  /**
   * Takes out any link, or null if there is none. For the end of a process, which must be able to
   * go on after a failure. All calls together take as long as the table is large.
   */
  @Nullable Link poll() {
    if (many == null) {
      Link link = single;
      single = null;
      return link;
    }
    if (left.isEmpty()) {
      if (draining == null) {
        draining = many.values().iterator();
      }
      if (!draining.hasNext()) {
        return null;
      }
      left = draining.next();
    }
    Link link = left.getFirst();
    left = left.subList(1, left.size());
    return link;
  }

  // ---------------------------------------------------------------- read by observers

  /** How many processes are linked. Any thread. */
  int count() {
    Map<LocalProcess<?>, List<Link>> all = many;
    return all != null ? all.size() : single == null ? 0 : 1;
  }

  /**
   * Some of the linked processes. Any thread: one that is added or removed meanwhile may be
   * missing.
   *
   * @param most how many at most
   */
  List<Pid<?>> some(int most) {
    Map<LocalProcess<?>, List<Link>> all = many;
    if (all != null) {
      List<Pid<?>> some = new ArrayList<>();
      for (LocalProcess<?> other : all.keySet()) {
        if (some.size() >= most) {
          break;
        }
        some.add(other);
      }
      return some;
    }
    Link link = single;
    return link == null || most == 0 ? List.of() : List.of(link.other(owner));
  }
}
