package io.selvage.kernel.internal.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The links of one process: at most one entry for each other process, most often none or one. An
 * entry holds more than one {@link Link} only after both ends linked at the same time. Owner thread
 * only.
 */
final class Links {
  /** The only link, if there is just one. */
  private @Nullable Link single;

  /**
   * All links, as soon as there was more than one. The order of iteration follows from the ids of
   * the processes.
   */
  private @Nullable Map<LocalProcess<?>, List<Link>> many;

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

  /** With how many processes there is a link. */
  int size() {
    return many != null ? many.size() : single != null ? 1 : 0;
  }

  /** Some of the processes there is a link with. */
  List<LocalProcess<?>> first(int most) {
    if (many != null) {
      return many.keySet().stream().limit(most).toList();
    }
    return single != null && most > 0 ? List.of(single.other(owner)) : List.of();
  }

  void add(Link link) {
    if (many == null) {
      if (single == null) {
        single = link;
        return;
      }
      Map<LocalProcess<?>, List<Link>> first = new HashMap<>();
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
}
