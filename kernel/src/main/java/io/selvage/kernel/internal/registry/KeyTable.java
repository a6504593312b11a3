package io.selvage.kernel.internal.registry;

import io.selvage.kernel.internal.process.NewsSignal;
import io.selvage.kernel.spi.SpinLock;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which processes stand under which keys: what names, registries, groups and subscriptions are made
 * of. It is a hash table in stripes. Lookups and walks take no lock; changes take the spin lock of
 * their key's stripe for a few instructions.
 *
 * <pre>
 *   stripe ──► buckets ──► node ──► node ──► …        one node for a key
 *                           │
 *                          slot: key
 *                           │
 *                          entry ⇄ entry ⇄ …          one for each process under the key, oldest first
 *
 *   put(entry):
 *     the process owns the entry, or refuse
 *     repeat
 *       without the lock: look the key up (this calls equals), make a slot if there is none, make the news
 *       under the lock:   if the bucket has a new head, the slot is gone, or the subscriptions have changed: again
 *                         if the entry is GONE: refuse, its process has ended
 *                         if one may stand there and one does: refuse
 *                         link slot and entry; THERE; place the news
 *     wake who has news
 *
 *   remove(entry):
 *     under the lock: unlink the entry, and its slot if that is empty; GONE; place the news
 *     wake who has news
 * </pre>
 *
 * <p><b>No user code under a lock.</b> A key's {@code equals} runs before the lock is taken. What
 * it found is still true if the head of the bucket is the same, since new keys come in at the head
 * only, and nodes are never put in twice.
 *
 * <p><b>No ghosts.</b> An entry belongs to its process before it can be seen. The process that ends
 * releases its entries before it counts as dead. A release that comes between the two steps of a
 * put finds the entry NEW and marks it GONE, and the put sees that under the lock. Whoever takes an
 * entry out does so first here and then at its process: the other way round the process could count
 * as dead while its entry can still be found.
 *
 * <p><b>Walks.</b> A removed entry or node keeps its way on. So a walk that stands on it finds all
 * that is there during the whole walk, since new entries come at the end; it may also see some that
 * were taken out, which their state tells. Growing copies the nodes and leaves the old ones as they
 * are.
 *
 * <p><b>Memory.</b> What is needed is made before the lock is taken, so an {@link OutOfMemoryError}
 * changes nothing; growing is the exception, and if it fails the chains are longer. Removing
 * allocates the news only.
 *
 * <p>Rejected: {@code ConcurrentHashMap}, since it calls {@code equals} under its own locks, which
 * are monitors: a virtual thread that must wait for one yields, which near the end of a deep stack
 * overflows it in the middle of a kernel operation, and can be stuck for good (JDK-8373120).
 */
final class KeyTable {
  private static final int FEWEST_BUCKETS = 4;
  private static final int MOST_BUCKETS = 1 << 26;

  /** All entries of one key. */
  static final class Slot {
    final Object key;
    final int hash;

    /** The oldest. Written under the lock, read without. */
    volatile @Nullable Entry first;

    /** The newest. Under the lock. */
    @Nullable Entry last;

    /** How many. Written under the lock, read without. */
    volatile int size;

    /** The entry that was last picked in turn. Any thread; a lost write picks one twice. */
    volatile @Nullable Entry picked;

    /** Whether this has been taken out of its bucket. Written under the lock. */
    volatile boolean gone;

    Slot(Object key, int hash) {
      this.key = key;
      this.hash = hash;
    }
  }

  private static final class Node {
    final Slot slot;

    /** Written under the lock, read without. Kept when this is taken out. */
    volatile @Nullable Node next;

    Node(Slot slot) {
      this.slot = slot;
    }
  }

  private static final class Stripe {
    final SpinLock lock;
    volatile AtomicReferenceArray<@Nullable Node> buckets =
        new AtomicReferenceArray<>(FEWEST_BUCKETS);

    /** How many keys. Under the lock. */
    int keys;

    /** How many entries. Written under the lock, read without. */
    volatile int entries;

    /** How often an entry was put or removed; wraps around. Written under the lock. */
    volatile int changes;

    Stripe(SpinLock lock) {
      this.lock = lock;
    }

    @Nullable Node head(int hash) {
      AtomicReferenceArray<@Nullable Node> b = buckets;
      return b.get(hash & (b.length() - 1));
    }
  }

  /** Who is told of changes. */
  interface Audience {
    /** The news, one for each subscription concerned. Calls no user code but {@code equals}. */
    NewsSignal[] news(Entry entry, boolean put);

    /** Changes whenever a subscription is made or taken back. */
    int version();
  }

  /** What became of a put. */
  enum Outcome {
    PUT,
    TAKEN,
    ENDED,
    CLOSED
  }

  static final NewsSignal[] NO_NEWS = {};

  private final Stripe[] stripes;
  private final int stripeBits;
  private final boolean unique;
  private final @Nullable Audience audience;
  private volatile boolean closed;

  /**
   * An empty table.
   *
   * @param stripeBits how many stripes, as a power of two
   * @param unique whether a key has at most one entry
   * @param audience who is told, or null
   * @param lock the lock of all stripes, or null to give each its own
   */
  KeyTable(int stripeBits, boolean unique, @Nullable Audience audience, @Nullable SpinLock lock) {
    this.stripeBits = stripeBits;
    this.unique = unique;
    this.audience = audience;
    this.stripes = new Stripe[1 << stripeBits];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Stripe(lock == null ? new SpinLock() : lock);
    }
  }

  static int hash(Object key) {
    int h = key.hashCode() * 0x9E3779B9;
    return h ^ (h >>> 15);
  }

  private Stripe stripe(int hash) {
    return stripes[stripeBits == 0 ? 0 : hash >>> (Integer.SIZE - stripeBits)];
  }

  // ---------------------------------------------------------------- looking

  /** The slot of a key, or null. */
  @Nullable Slot find(Object key) {
    int hash = hash(key);
    return find(stripe(hash).head(hash), hash, key);
  }

  private static @Nullable Slot find(@Nullable Node head, int hash, Object key) {
    for (Node n = head; n != null; n = n.next) {
      Slot slot = n.slot;
      if (slot.hash == hash && !slot.gone && slot.key.equals(key)) {
        return slot;
      }
    }
    return null;
  }

  /** The oldest entry under a key, or null. */
  @Nullable Entry first(Object key) {
    Slot slot = find(key);
    return slot == null ? null : there(slot.first);
  }

  /** This entry or the first after it that is there, or null. */
  static @Nullable Entry there(@Nullable Entry entry) {
    Entry e = entry;
    while (e != null && !e.isThere()) {
      e = e.next;
    }
    return e;
  }

  /** The next entry under the same key, or null. */
  static @Nullable Entry after(Entry entry) {
    return there(entry.next);
  }

  /** The entry whose turn it is under a key, or null. Constant time but for those taken out. */
  @Nullable Entry pick(Object key) {
    Slot slot = find(key);
    if (slot == null) {
      return null;
    }
    Entry last = slot.picked;
    Entry e = last == null ? null : after(last);
    if (e == null) {
      e = there(slot.first);
    }
    slot.picked = e;
    return e;
  }

  /** Shows all entries; see the class comment on walks. */
  void walk(Consumer<? super Entry> visitor) {
    walkKeys(slot -> {
      for (Entry e = there(slot.first); e != null; e = after(e)) {
        visitor.accept(e);
      }
    });
  }

  /** Shows all keys that have entries. */
  void walkKeys(Consumer<? super Slot> visitor) {
    for (Stripe stripe : stripes) {
      AtomicReferenceArray<@Nullable Node> b = stripe.buckets;
      for (int i = 0; i < b.length(); i++) {
        for (Node n = b.get(i); n != null; n = n.next) {
          if (n.slot.first != null) {
            visitor.accept(n.slot);
          }
        }
      }
    }
  }

  /** How many entries there are. */
  long size() {
    long sum = 0;
    for (Stripe stripe : stripes) {
      sum += stripe.entries;
    }
    return sum;
  }

  /** For a table with one stripe: changes with every put and remove. */
  int version() {
    return stripes[0].changes;
  }

  boolean isClosed() {
    return closed;
  }

  // ---------------------------------------------------------------- changing

  /** Puts an entry that nobody has put before. If it is not PUT, its process owns nothing more. */
  Outcome put(Entry entry) {
    return put(entry, null);
  }

  /** Puts an entry, and takes a picture of another table in the same moment. */
  Outcome put(Entry entry, @Nullable Picture picture) {
    if (!entry.process.own(entry)) {
      return Outcome.ENDED;
    }
    Outcome outcome = null;
    try {
      outcome = putOwned(entry, picture);
    } finally {
      if (outcome != Outcome.PUT) {
        entry.process.disown(entry);
      }
    }
    return outcome;
  }

  private Outcome putOwned(Entry entry, @Nullable Picture picture) {
    Stripe stripe = stripe(entry.hash);
    while (true) {
      Node head = stripe.head(entry.hash);
      Slot found = find(head, entry.hash, entry.key);
      Node fresh = found == null ? new Node(new Slot(entry.key, entry.hash)) : null;
      int version = audience == null ? 0 : audience.version();
      NewsSignal[] news = audience == null ? NO_NEWS : audience.news(entry, true);
      if (picture != null) {
        picture.prepare();
      }
      stripe.lock.acquire();
      try {
        if (closed) {
          return Outcome.CLOSED;
        }
        if (entry.state == Entry.State.GONE) {
          return Outcome.ENDED;
        }
        if ((stripe.head(entry.hash) != head && found == null)
            || (found != null && found.gone)
            || (audience != null && audience.version() != version)) {
          continue;
        }
        if (unique && found != null) {
          return Outcome.TAKEN; // a slot that is not gone has an entry
        }
        if (picture != null && !picture.take()) {
          continue;
        }
        link(stripe, entry, fresh == null ? found : fresh.slot);
        if (fresh != null) {
          linkNode(stripe, fresh);
        }
        place(news);
      } finally {
        stripe.lock.release();
      }
      wake(news);
      return Outcome.PUT;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private static void link(Stripe stripe, Entry entry, @Nullable Slot slot) {
    if (slot == null) {
      throw new IllegalStateException("unreachable");
    }
    Entry last = slot.last;
    entry.slot = slot;
    entry.previous = last;
    entry.state = Entry.State.THERE;
    if (last == null) {
      slot.first = entry;
    } else {
      last.next = entry;
    }
    slot.last = entry;
    slot.size++;
    stripe.entries++;
    stripe.changes++;
  }

  private static void linkNode(Stripe stripe, Node node) {
    AtomicReferenceArray<@Nullable Node> b = stripe.buckets;
    if (stripe.keys >= b.length() && b.length() < MOST_BUCKETS) {
      b = grow(stripe);
    }
    int i = node.slot.hash & (b.length() - 1);
    node.next = b.get(i);
    b.set(i, node);
    stripe.keys++;
  }

  /** Doubles the buckets, if there is memory. Under the lock. */
  private static AtomicReferenceArray<@Nullable Node> grow(Stripe stripe) {
    AtomicReferenceArray<@Nullable Node> before = stripe.buckets;
    try {
      AtomicReferenceArray<@Nullable Node> larger = new AtomicReferenceArray<>(2 * before.length());
      for (int i = 0; i < before.length(); i++) {
        for (Node n = before.get(i); n != null; n = n.next) {
          Node copy = new Node(n.slot);
          int k = n.slot.hash & (larger.length() - 1);
          copy.next = larger.get(k);
          larger.set(k, copy);
        }
      }
      stripe.buckets = larger;
      return larger;
    } catch (OutOfMemoryError e) {
      return before;
    }
  }

  /** Takes an entry out. Answers false if it was not there; then it never will be. */
  boolean remove(Entry entry) {
    Stripe stripe = stripe(entry.hash);
    while (true) {
      boolean tells = audience != null && entry.isThere();
      int version = tells && audience != null ? audience.version() : 0;
      NewsSignal[] news = tells && audience != null ? audience.news(entry, false) : NO_NEWS;
      stripe.lock.acquire();
      try {
        if (!entry.isThere()) {
          entry.state = Entry.State.GONE;
          return false;
        }
        if (audience != null && (!tells || audience.version() != version)) {
          continue;
        }
        unlink(stripe, entry);
        place(news);
      } finally {
        stripe.lock.release();
      }
      wake(news);
      return true;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private static void unlink(Stripe stripe, Entry entry) {
    Slot slot = entry.slot;
    if (slot == null) {
      throw new IllegalStateException("unreachable");
    }
    Entry previous = entry.previous;
    Entry next = entry.next;
    if (previous == null) {
      slot.first = next;
    } else {
      previous.next = next;
    }
    if (next == null) {
      slot.last = previous;
    } else {
      next.previous = previous;
    }
    entry.previous = null;
    entry.slot = null;
    entry.state = Entry.State.GONE;
    slot.size--;
    stripe.entries--;
    stripe.changes++;
    if (slot.first == null) {
      unlinkNode(stripe, slot);
    }
  }

  private static void unlinkNode(Stripe stripe, Slot slot) {
    slot.gone = true;
    AtomicReferenceArray<@Nullable Node> b = stripe.buckets;
    int i = slot.hash & (b.length() - 1);
    Node before = null;
    Node node = b.get(i);
    while (node != null && node.slot != slot) {
      before = node;
      node = node.next;
    }
    if (node == null) {
      throw new IllegalStateException("unreachable");
    }
    if (before == null) {
      b.set(i, node.next);
    } else {
      before.next = node.next;
    }
    stripe.keys--;
  }

  private static void place(NewsSignal[] news) {
    for (NewsSignal each : news) {
      each.place();
    }
  }

  private static void wake(NewsSignal[] news) {
    for (NewsSignal each : news) {
      each.wake();
    }
  }

  /** Takes an entry out, and from its process. Answers false if it was not there. */
  boolean takeBack(Entry entry) {
    boolean removed = remove(entry);
    entry.process.disown(entry);
    return removed;
  }

  /** Refuses all puts from now on, and takes out what is there. */
  void close() {
    closed = true;
    for (Stripe stripe : stripes) {
      stripe.lock.acquire(); // whoever did not see it has put now
      stripe.lock.release();
    }
    walk(this::takeBack);
  }

  // ---------------------------------------------------------------- a picture at one moment

  /**
   * The entries of a table with one stripe at the moment when something is put into another table
   * that has the same lock.
   */
  static final class Picture {
    private static final int SLACK = 16;

    private final KeyTable table;
    private final @Nullable Object key;
    private final int hash;
    private @Nullable Slot slot;
    private @Nullable Entry[] entries = {};
    private int size;

    /**
     * A picture to be taken.
     *
     * @param table of what
     * @param key only what stands under this key, or null for all
     */
    Picture(KeyTable table, @Nullable Object key) {
      this.table = table;
      this.key = key;
      this.hash = key == null ? 0 : hash(key);
    }

    private void prepare() {
      Stripe stripe = table.stripes[0];
      int needed = stripe.entries;
      if (key != null) {
        slot = find(stripe.head(hash), hash, key);
        needed = slot == null ? 0 : slot.size;
      }
      if (entries.length <= needed) {
        entries = new @Nullable Entry[needed + needed / 4 + SLACK];
      }
    }

    /** Under the lock. Answers false if it must be prepared again. */
    private boolean take() {
      Stripe stripe = table.stripes[0];
      size = 0;
      if (key != null) {
        // Whoever waited for the lock comes after a change, always: so a slot that is gone
        // meanwhile is
        // looked up again here. Pictures are taken of groups, whose equals is not the user's.
        Slot now = slot != null && !slot.gone ? slot : find(stripe.head(hash), hash, key);
        return now == null || (now.size <= entries.length && add(now));
      }
      if (stripe.entries > entries.length) {
        return false;
      }
      AtomicReferenceArray<@Nullable Node> b = stripe.buckets;
      for (int i = 0; i < b.length(); i++) {
        for (Node n = b.get(i); n != null; n = n.next) {
          add(n.slot);
        }
      }
      return true;
    }

    private boolean add(Slot from) {
      for (Entry e = from.first; e != null; e = e.next) {
        entries[size++] = e;
      }
      return true;
    }

    /** Shows what was there, grouped by keys, in order of their coming. */
    void show(Consumer<? super Entry> visitor) {
      for (int i = 0; i < size; i++) {
        Entry e = entries[i];
        if (e != null) {
          visitor.accept(e);
        }
      }
    }
  }
}
