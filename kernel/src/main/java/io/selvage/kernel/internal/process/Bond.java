package io.selvage.kernel.internal.process;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one process holds of its link with another: the one {@link Link}; or {@link Several}, only
 * after both ends linked at the same time. Immutable, but for the state of the links.
 */
sealed interface Bond permits Link, Bond.Several {
  /** The acts of linking, oldest first. */
  List<Link> links();

  /** Whether this is one of them. */
  boolean holds(Link link);

  /** The bond without one of them, which may not be there; null if nothing is left. */
  @Nullable Bond without(Link link);

  /** The bond of two bonds. */
  static Bond of(Bond older, Bond newer) {
    return new Several(Stream.of(older, newer).flatMap(b -> b.links().stream()).toList());
  }

  /** More than one act of linking. */
  record Several(List<Link> links) implements Bond {
    @Override
    public boolean holds(Link link) {
      return links.contains(link);
    }

    @Override
    public @Nullable Bond without(Link link) {
      List<Link> rest = links.stream().filter(l -> l != link).toList();
      return switch (rest.size()) {
        case 0 -> null;
        case 1 -> rest.getFirst();
        default -> new Several(rest);
      };
    }
  }
}
