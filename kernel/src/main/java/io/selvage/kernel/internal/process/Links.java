package io.selvage.kernel.internal.process;

import io.selvage.kernel.Pid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The links of a process: at most one entry for each other process, most often none or one. An
 * entry holds more than one {@link Link} only after both ends linked at the same time.
 *
 * <pre>
 *   none, or one, and nothing else     no object beside the link: see {@link Attachment}
 *   none, or one, and something else   a field of the {@link Extras}
 *   several                            a {@link LinkTable}, in the Extras
 * </pre>
 *
 * <p>Owner thread only, but for the two methods at the end; the owner's thread may find the {@code
 * Extras} made by another between any two steps.
 */
final class Links {
  private Links() {}

  static boolean contains(LocalProcess<?> self, LocalProcess<?> other) {
    LinkTable table = table(self);
    if (table != null) {
      return table.contains(other);
    }
    Link link = only(self);
    return link != null && link.other(self) == other;
  }

  /** Whether the entry for the other end of a link holds this link. */
  static boolean holds(LocalProcess<?> self, Link link) {
    LinkTable table = table(self);
    return table == null ? only(self) == link : table.holds(link.other(self), link);
  }

  /**
   * Adds the link with which a process begins.
   *
   * @param self a process that nobody knows yet
   * @param link its link with its parent
   */
  static void begin(LocalProcess<?> self, Link link) {
    Handshake<?> starting = self.handshake();
    if (starting != null) {
      starting.link = link;
    }
    if (!(self.attachment instanceof Handshake)) {
      add(self, link);
    }
  }

  /** If this lacks memory, nothing has changed. */
  static void add(LocalProcess<?> self, Link link) {
    if (self.attachment == null && self.replaceAttachment(null, link)) {
      return;
    }
    Extras x = self.extras();
    LinkTable table = x.linkTable;
    Link only = x.link;
    if (table != null) {
      table.add(link.other(self), link);
    } else if (only == null) {
      x.link = link;
    } else {
      LinkTable both = new LinkTable(only.other(self), only);
      both.add(link.other(self), link);
      x.linkTable = both; // first: observers must find one of the two
      x.link = null;
    }
  }

  /** Gives back what is left of a table that was larger once. */
  static void shrink(LocalProcess<?> self) {
    LinkTable table = table(self);
    if (table == null) {
      return;
    }
    Extras x = self.extras();
    Link only = table.only();
    if (only == null && !table.isEmpty()) {
      x.linkTable = table.shrunk();
    } else {
      x.link = only;
      x.linkTable = null;
    }
  }

  /**
   * Removes the entry for a process and answers what it held. If this lacks memory, it is there.
   */
  static List<Link> remove(LocalProcess<?> self, LocalProcess<?> other) {
    LinkTable table = table(self);
    if (table != null) {
      Bond removed = table.remove(other);
      return removed == null ? List.of() : removed.links();
    }
    Link link = only(self);
    if (link == null || link.other(self) != other) {
      return List.of();
    }
    List<Link> removed = List.of(link);
    removeOnly(self, link);
    return removed;
  }

  /**
   * Removes the entry for the other end of a link. Allocates nothing, unless the process
   * {@linkplain LocalProcess#handshake is being started}.
   */
  static void removeAll(LocalProcess<?> self, Link link) {
    LocalProcess<?> other = link.other(self);
    LinkTable table = table(self);
    if (table != null) {
      table.remove(other);
      return;
    }
    Link only = only(self);
    if (only != null && only.other(self) == other) {
      removeOnly(self, only);
    }
  }

  /** Removes one act of linking. If this lacks memory, it is there. */
  static void remove(LocalProcess<?> self, Link link) {
    LinkTable table = table(self);
    if (table != null) {
      table.remove(link.other(self), link);
    } else if (only(self) == link) {
      removeOnly(self, link);
    }
  }

  /**
   * Takes out any link, or null if there is none. For the end of a process, which must be able to
   * go on after a failure. Allocates nothing. All calls together take as long as the table is
   * large.
   */
  static @Nullable Link poll(LocalProcess<?> self) {
    LinkTable table = table(self);
    if (table != null) {
      return table.poll();
    }
    Link only = only(self);
    if (only != null && !self.replaceAttachment(attachmentOf(self, only), null)) {
      self.extras().link = null;
    }
    return only;
  }

  /** What the field of a process holds if it has this link and no {@code Extras}. */
  private static @Nullable Attachment attachmentOf(LocalProcess<?> self, Link only) {
    return self.attachment instanceof Handshake<?> starting ? starting : only;
  }

  private static void removeOnly(LocalProcess<?> self, Link only) {
    if (!self.replaceAttachment(only, null)) {
      self.extras().link = null;
    }
  }

  private static @Nullable LinkTable table(LocalProcess<?> process) {
    return process.attachment instanceof Extras x ? x.linkTable : null;
  }

  /** The link of a process that has no table of them. */
  private static @Nullable Link only(LocalProcess<?> process) {
    return Attachment.link(process.attachment);
  }

  // ---------------------------------------------------------------- read by observers

  /** How many processes are linked. Any thread. */
  static int count(LocalProcess<?> process) {
    LinkTable table = table(process);
    return table != null ? table.count() : only(process) == null ? 0 : 1;
  }

  /**
   * Some of the linked processes. Any thread: one that is added or removed meanwhile may be
   * missing.
   *
   * @param most how many at most
   */
  static List<Pid<?>> some(LocalProcess<?> process, int most) {
    LinkTable table = table(process);
    if (table != null) {
      return table.some(most);
    }
    Link link = only(process);
    return link == null || most == 0 ? List.of() : List.of(link.other(process));
  }
}
