package io.selvage.kernel.internal.node;

import io.selvage.kernel.Address;
import io.selvage.kernel.DeadLetterCount;
import io.selvage.kernel.DeadLetterStats;
import io.selvage.kernel.Name;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.Clock;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts the dead letters of a node by kind (receiver, class, cause), and sees to it that the
 * node's sink is told of each exactly once: by an event of its own, or as part of a sum.
 *
 * <pre>
 *   count:      cause's counter++
 *               kind known, or room for one more?   no: others++
 *               first of its kind, and less than AT_ONCE such in this interval?
 *                 yes: told++, tell it at once
 *                 no:  pending++                    (if the kind was retired meanwhile: others++)
 *               no timer set: set one for an interval
 *   interval:   of each kind: told += pending, pending = 0; tell those that had most, one by one,
 *               and the rest together with the others
 *               too many kinds: retire those with the lowest counts, whose pending goes to others
 * </pre>
 *
 * <p><b>Why the sums are right.</b> A letter adds one to exactly one of {@code told}, {@code
 * pending} and {@code others}, and whoever takes from the last two takes what he tells. To retire a
 * kind makes its {@code pending} negative in the step that takes it, so whoever finds the kind and
 * adds to it later sees that, and counts among the others. How many there were of kinds that are
 * not listed is never counted: it is the total less those that are.
 *
 * <p><b>No letter waits for ever.</b> A letter adds to {@code pending} and then looks whether the
 * timer is set; the end of an interval marks it as not set and then looks at {@code pending} (all
 * volatile): one of the two sees the other.
 *
 * <p><b>Memory.</b> At most {@link #MOST_KINDS} kinds and as many more as there are threads. They
 * hold texts and numbers, no process. One that has ended long ago may keep its place for its high
 * count; of the others half make room each time three quarters are taken.
 *
 * <p>Rejected: a map without bound, cleared by age (a flood of short-lived receivers fills it
 * between two clearings); {@link LongAdder} as the counter of a kind (its sum cannot be taken and
 * closed in one step, so a letter that comes while a kind is retired would be lost).
 */
final class DeadLetterLedger {
  /** How many kinds are counted apart. */
  static final int MOST_KINDS = 1024;

  /** What is collected is told after this time. */
  static final long INTERVAL = 60_000_000_000L;

  /** Of how many kinds in an interval the first is told at once. */
  static final int AT_ONCE = 10;

  /** How many kinds are told apart when an interval is over. */
  static final int TOLD_APART = 10;

  private static final String THREAD = "a thread";
  private static final long OF_NAME = -1;
  private static final long OF_THREAD = -2;

  /** Which letters are of one kind. */
  private static final class Key {
    /** The name; or the name of the process's node, if it is another than that of the ledger. */
    private final @Nullable String place;

    private final long id;
    private final String type;
    private final Cause cause;

    Key(@Nullable String place, long id, String type, Cause cause) {
      this.place = place;
      this.id = id;
      this.type = type;
      this.cause = cause;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && id == key.id
          && cause == key.cause
          && type.equals(key.type)
          && Objects.equals(place, key.place);
    }

    @Override
    public int hashCode() {
      int hash = Long.hashCode(id * 0x9E3779B97F4A7C15L) ^ type.hashCode() + cause.hashCode();
      return place == null ? hash : 31 * hash + place.hashCode();
    }
  }

  /** Where a letter came from: an object, so that its parts belong together. */
  private record From(@Nullable LocalNode node, long id, Way way) {
    boolean is(@Nullable LocalProcess<?> sender, Way other) {
      return way == other
          && (sender == null ? node == null : node == sender.node && id == sender.id());
    }

    static From of(@Nullable LocalProcess<?> sender, Way way) {
      return sender == null ? new From(null, 0, way) : new From(sender.node, sender.id(), way);
    }

    @Nullable String text() {
      return node == null ? null : node.textOf(id);
    }
  }

  /**
   * One kind. What is no atomic is written before {@link #pending} is, and read after it: of two
   * letters at once either may be the last.
   */
  private static final class Kind {
    private static final long RETIRED = Long.MIN_VALUE;

    final Key key;
    final String receiver;
    final long first;
    final AtomicLong pending = new AtomicLong();
    final AtomicLong told = new AtomicLong();

    /** Whether one was told in this interval or the last. */
    final AtomicBoolean known = new AtomicBoolean();

    private long firstPending;
    private long last;
    private From from;

    Kind(Key key, String receiver, long now, From from) {
      this.key = key;
      this.receiver = receiver;
      this.first = now;
      this.firstPending = now;
      this.last = now;
      this.from = from;
    }

    /** Notes the circumstances of one more. */
    void note(@Nullable LocalProcess<?> sender, Way way, long now) {
      if (!from.is(sender, way)) {
        from = From.of(sender, way);
      }
      last = now;
      if (pending.get() == 0) {
        firstPending = now;
      }
    }

    /** Counts one that is told later. Answers false if this was retired. */
    boolean adds() {
      return pending.getAndIncrement() >= 0;
    }

    /** Takes those that have not been told. Under the ledger's lock. */
    long take() {
      long taken = pending.getAndSet(0);
      told.addAndGet(taken);
      return taken;
    }

    /** Takes them for the last time. Under the ledger's lock. */
    long retire() {
      return pending.getAndSet(RETIRED);
    }

    long count() {
      return told.get() + Math.max(0, pending.get());
    }

    DeadLetterCount report(long count, long since, long now) {
      From sent = from;
      return new DeadLetterCount(
          receiver,
          key.type,
          key.cause,
          count,
          Duration.ofNanos(Math.max(0, now - since)),
          Duration.ofNanos(Math.max(0, now - last)),
          sent.text(),
          sent.way);
    }
  }

  /** A number that others change, as it was at one moment: what a list can be sorted by. */
  private record Counted(Kind kind, long count) {}

  /** Ends an interval. */
  private final class Interval extends TimerNode {
    @Override
    protected TimerWheel wheel() {
      return wheel;
    }

    @Override
    protected void fire() {
      timed.set(false);
      elsewhere(() -> tellPending(false));
    }

    @Override
    protected void closed() {
      timed.set(false);
    }
  }

  private final LocalNode node;
  private final Clock clock;
  private final TimerWheel wheel;

  /** A counter for each; the map does not change. */
  private final Map<Cause, LongAdder> causes = new EnumMap<>(Cause.class);

  private final ConcurrentHashMap<Key, Kind> kinds = new ConcurrentHashMap<>();

  /** How many kinds there are; roughly, while some are added. */
  private final AtomicInteger size = new AtomicInteger();

  /** Those of kinds that are not listed, and have not been told. */
  private final AtomicLong others = new AtomicLong();

  /** How many were told at once in this interval. */
  private final AtomicInteger atOnce = new AtomicInteger();

  /** Whether the timer is set. */
  private final AtomicBoolean timed = new AtomicBoolean();

  /** Nothing is told at once, or after an interval: all is told when the node has closed. */
  private volatile boolean closing;

  /** Held by who tells what was collected, while the sink runs. */
  private final ReentrantLock telling = new ReentrantLock();

  /** What threads that must not run the sink have left for another. Done under the lock. */
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  DeadLetterLedger(LocalNode node, Clock clock, TimerWheel wheel) {
    this.node = node;
    this.clock = clock;
    this.wheel = wheel;
    for (Cause cause : Cause.values()) {
      causes.put(cause, new LongAdder());
    }
  }

  // ---------------------------------------------------------------- counting

  /** Counts one; see {@link LocalNode#deadLetter}. Lack of memory costs no count. */
  void count(
      @Nullable LocalProcess<?> sender,
      Way way,
      @Nullable Address<?> receiver,
      Object message,
      Cause cause,
      boolean mayReport) {
    counter(cause).increment();
    Kind kind = null;
    Runnable teller = null;
    try {
      long now = clock.nanoTime();
      kind = kind(sender, way, receiver, message, cause, now);
      if (kind != null) {
        kind.note(sender, way, now);
        if (isFirst(kind)) {
          teller = teller(kind, kind.report(1, now, now), message);
        }
      }
    } catch (OutOfMemoryError e) {
      // It is told later, with its kind or the others.
    }
    if (teller == null) {
      if (kind == null || !kind.adds()) {
        others.incrementAndGet();
      }
      keepTime();
      return;
    }
    Objects.requireNonNull(kind).told.incrementAndGet();
    keepTime();
    if (mayReport) {
      teller.run();
    } else {
      elsewhere(teller);
    }
  }

  private @Nullable Kind kind(
      @Nullable LocalProcess<?> sender,
      Way way,
      @Nullable Address<?> receiver,
      Object message,
      Cause cause,
      long now) {
    String type = message.getClass().getName(); // which the class remembers
    Key key =
        switch (receiver) {
          case null -> new Key(null, OF_THREAD, type, cause);
          case Name<?> name -> new Key(name.text(), OF_NAME, type, cause);
          case LocalProcess<?> process ->
              new Key(process.node == node ? null : process.node.name(), process.id(), type, cause);
        };
    Kind known = kinds.get(key);
    if (known != null || size.get() >= MOST_KINDS) {
      return known;
    }
    String text = receiver == null ? THREAD : receiver.toString();
    Kind made = new Kind(key, text, now, From.of(sender, way));
    Kind other = kinds.putIfAbsent(key, made);
    if (other != null) {
      return other;
    }
    size.incrementAndGet();
    return made;
  }

  /** Whether one is to be told at once. If so, its kind is known from now on. */
  private boolean isFirst(Kind kind) {
    if (kind.known.get()
        || closing
        || atOnce.get() >= AT_ONCE
        || !kind.known.compareAndSet(false, true)) {
      return false;
    }
    if (atOnce.getAndIncrement() < AT_ONCE) {
      return true;
    }
    kind.known.set(false);
    return false;
  }

  /** The text is made when the letter is told: it takes a thread that may run the user's code. */
  private Runnable teller(Kind kind, DeadLetterCount letter, Object message) {
    boolean shows = node.reports().deadLetters();
    return () -> {
      try {
        String text = shows ? ReportText.of(message, node.reports()) : null;
        node.emit(new KernelEvent.DeadLetters(letter, text));
      } catch (OutOfMemoryError e) {
        kind.told.decrementAndGet();
        others.incrementAndGet();
      }
    };
  }

  private void keepTime() {
    if (timed.get() || closing) {
      return;
    }
    try {
      Interval interval = new Interval();
      if (timed.compareAndSet(false, true)) {
        wheel.schedule(INTERVAL, interval);
      }
    } catch (OutOfMemoryError e) {
      // The next letter tries again.
    }
  }

  /** How many timers there are for this, of those that the wheel counts. */
  long timers() {
    return timed.get() ? 1 : 0;
  }

  // ---------------------------------------------------------------- telling

  /** Has something done by a thread that may run the sink. */
  private void elsewhere(Runnable task) {
    try {
      tasks.add(task);
      Thread thread =
          new Thread(null, this::work, "selvage-" + node.name() + "-deadletters", 0, false);
      thread.setDaemon(true);
      thread.start();
    } catch (OutOfMemoryError e) {
      node.fault("starting a thread that tells of dead letters", e); // the next does it
    }
  }

  private void work() {
    telling.lock();
    try {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    } finally {
      telling.unlock();
    }
  }

  /** Tells what was collected. */
  private void tellPending(boolean closed) {
    telling.lock();
    try {
      atOnce.set(0);
      List<Counted> due = due();
      long rest = 0;
      int apart = closed ? 0 : TOLD_APART;
      for (Counted each : due) {
        long taken = each.kind.take();
        if (taken > 0 && apart > 0) {
          apart--;
          tell(each.kind, taken);
        } else {
          rest += taken;
        }
      }
      rest += others.getAndSet(0);
      if (rest > 0) {
        tellOthers(rest, closed);
      }
      makeRoom();
      if (!due.isEmpty()) {
        keepTime(); // so that a kind of which nothing more comes is not known any more
      }
    } catch (OutOfMemoryError e) {
      keepTime(); // what was not taken is told after the next interval
    } finally {
      telling.unlock();
    }
  }

  /** The kinds of which some have not been told, those with most first. */
  private List<Counted> due() {
    List<Counted> due = new ArrayList<>();
    for (Kind kind : kinds.values()) {
      long pending = kind.pending.get();
      kind.known.set(pending > 0);
      if (pending > 0) {
        due.add(new Counted(kind, pending));
      }
    }
    due.sort(Comparator.comparingLong(Counted::count).reversed());
    return due;
  }

  private void tell(Kind kind, long count) {
    try {
      DeadLetterCount letters = kind.report(count, kind.firstPending, clock.nanoTime());
      node.emit(new KernelEvent.DeadLetters(letters, null));
    } catch (OutOfMemoryError e) {
      others.addAndGet(count);
    }
  }

  private void tellOthers(long count, boolean closed) {
    try {
      node.emit(new KernelEvent.OtherDeadLetters(count, closed));
    } catch (OutOfMemoryError e) {
      others.addAndGet(count);
    }
  }

  /** Retires kinds with low counts, if many have come. */
  private void makeRoom() {
    if (size.get() <= MOST_KINDS / 4 * 3) {
      return;
    }
    List<Counted> all = new ArrayList<>();
    kinds.values().forEach(kind -> all.add(new Counted(kind, kind.count())));
    all.sort(Comparator.comparingLong(Counted::count));
    for (Counted each : all.subList(0, Math.max(0, all.size() - MOST_KINDS / 2))) {
      kinds.remove(each.kind.key);
      size.decrementAndGet();
      others.addAndGet(each.kind.retire());
    }
  }

  // ---------------------------------------------------------------- closing

  /**
   * The node begins to close: tells what was collected, and nothing more until {@link #closed}.
   *
   * @param nanos how long to wait for a thread that tells just now
   */
  void close(long nanos) {
    tellLast(nanos, false);
    closing = true;
  }

  /**
   * The node has closed: tells how many are left to tell.
   *
   * @param nanos how long to wait for a thread that tells just now
   */
  void closed(long nanos) {
    tellLast(nanos, true);
  }

  private void tellLast(long nanos, boolean closed) {
    boolean mine;
    try {
      mine = telling.tryLock(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      mine = telling.tryLock();
    }
    if (mine) {
      try {
        work();
        tellPending(closed);
      } finally {
        telling.unlock();
      }
    }
  }

  // ---------------------------------------------------------------- asking

  /** How many there are of a cause. */
  long count(Cause cause) {
    return counter(cause).sum();
  }

  private LongAdder counter(Cause cause) {
    return Objects.requireNonNull(causes.get(cause));
  }

  /** How many there are. */
  long total() {
    long total = 0;
    for (LongAdder each : causes.values()) {
      total += each.sum();
    }
    return total;
  }

  /** See {@link io.selvage.kernel.Node#deadLetters(int)}. */
  DeadLetterStats stats(int most) {
    List<Counted> all = new ArrayList<>();
    kinds.values().forEach(kind -> all.add(new Counted(kind, kind.count())));
    // The total is read after the parts, which are counted after it: the rest is never negative.
    Map<Cause, Long> byCause = new EnumMap<>(Cause.class);
    long total = 0;
    for (Cause cause : causes.keySet()) {
      long count = count(cause);
      byCause.put(cause, count);
      total += count;
    }
    all.removeIf(each -> each.count == 0);
    all.sort(Comparator.comparingLong(Counted::count).reversed());
    long now = clock.nanoTime();
    List<DeadLetterCount> shown =
        all.stream()
            .limit(most)
            .map(each -> each.kind.report(each.count, each.kind.first, now))
            .toList();
    long listed = shown.stream().mapToLong(DeadLetterCount::count).sum();
    return new DeadLetterStats(total, byCause, shown, total - listed);
  }
}
