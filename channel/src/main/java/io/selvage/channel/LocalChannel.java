package io.selvage.channel;

import io.selvage.kernel.spi.SpinLock;
import io.selvage.kernel.spi.Waiter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The channel.
 *
 * <pre>
 *   offer(item), under the lock:              poll(), under the lock:
 *     closed? CLOSED                            an item inside? take it, and
 *     a receiver waits? hand it over              a sender waits? its item comes inside
 *     room? it comes inside                     a sender waits? take its item
 *     else there is no room                     closed? CLOSED, else there is none
 * </pre>
 *
 * <p>Who finds no room or no item enters a {@link Place} under the same lock, so that between the
 * look and the wait nothing can happen that would not wake it. Hence, of those who wait and are not
 * served elsewhere: while receivers wait there is nothing inside, and while senders wait there is
 * no room. A newcomer thus never overtakes who waits.
 *
 * <p>Those that were served under the lock are woken once it is free, by {@link #unlock}: woken
 * under it they would run into it. No foreign code runs under the lock, nothing is formatted or
 * thrown there, and nobody parks for it: it is held for some ten instructions, and a lock that
 * parks takes twice as long where an item passes from thread to thread.
 *
 * <p>Rejected: a channel without locks, of segments with a cell for each item (Koval, Alistarh and
 * Elizarov, "Fast and Scalable Channels in Kotlin Coroutines"; Jox): faster by a factor when many
 * send at once, but dropping the oldest, closing with a drop, and a select that is atomic over
 * several channels each need a protocol of their own on top.
 *
 * @param <T> what goes through it
 */
final class LocalChannel<T> implements Channel<T> {
  private static final int UNBOUNDED = -1;

  private final int capacity;
  private final Overflow overflow;

  /** How long a send without a time of its own waits. */
  private final long sendNanos;

  private final SpinLock lock = new SpinLock();

  // All below under the lock.
  private final ItemQueue<T> inside = new ItemQueue<>();
  private final PlaceQueue<T> senders = new PlaceQueue<>();
  private final PlaceQueue<T> receivers = new PlaceQueue<>();
  private boolean closed;
  private long sent;
  private long received;
  private long dropped;
  private long refused;

  /** Those who were served since the lock was taken, newest first. */
  private @Nullable Wait toWake;

  private LocalChannel(int capacity, Overflow overflow) {
    this.capacity = capacity;
    this.overflow = overflow;
    this.sendNanos =
        overflow.reaction() == Overflow.Reaction.BLOCK
            ? Waiter.FOR_EVER
            : TimeUnit.NANOSECONDS.convert(overflow.timeout());
  }

  static <T> LocalChannel<T> of(int capacity, Overflow overflow) {
    Objects.requireNonNull(overflow, "overflow");
    if (capacity < 0) {
      throw new IllegalArgumentException(
          "the capacity is "
              + capacity
              + ", but a channel cannot hold less than nothing: give zero for a rendezvous, more for"
              + " a bounded channel, or use Channel.unbounded()");
    }
    if (capacity == 0 && overflow.reaction() == Overflow.Reaction.DROP_OLDEST) {
      throw new IllegalArgumentException(
          "the capacity is 0, so there is never an oldest item inside to drop: give at least 1, or"
              + " use Overflow.dropNewest()");
    }
    return new LocalChannel<>(capacity, overflow);
  }

  static <T> LocalChannel<T> unbounded() {
    return new LocalChannel<>(UNBOUNDED, Overflow.block());
  }

  // ---------------------------------------------------------------- under the lock

  /** The channel behind one of its ends. */
  static <T> LocalChannel<T> of(Source<T> source) {
    return switch (source) {
      case LocalChannel<T> channel -> channel;
    };
  }

  /** The channel behind one of its ends. */
  static <T> LocalChannel<T> of(Sink<T> sink) {
    return switch (sink) {
      case LocalChannel<T> channel -> channel;
    };
  }

  boolean isClosedNow() {
    return closed;
  }

  void lock() {
    lock.acquire();
  }

  boolean tryLock() {
    return lock.tryAcquire();
  }

  void unlock() {
    Wait.wakeAll(release(null));
  }

  /**
   * Frees the lock without waking anybody.
   *
   * @param others who else is to be woken
   * @return those, and who was served here
   */
  @Nullable Wait release(@Nullable Wait others) {
    Wait all = others;
    for (Wait served = toWake; served != null; ) {
      Wait next = served.nextToWake;
      served.nextToWake = all;
      all = served;
      served = next;
    }
    toWake = null;
    lock.release();
    return all;
  }

  private boolean serve(Place<T> place) {
    if (!place.wait.claim(place)) {
      return false;
    }
    place.wait.nextToWake = toWake;
    toWake = place.wait;
    return true;
  }

  /** Sends if that can be done now; else answers null. */
  @Nullable SendResult offer(T item) {
    if (closed) {
      return SendResult.CLOSED;
    }
    for (Place<T> receiver = receivers.poll(); receiver != null; receiver = receivers.poll()) {
      receiver.item = item;
      if (serve(receiver)) {
        sent++;
        received++;
        return SendResult.SENT;
      }
      receiver.item = null;
    }
    if (capacity != UNBOUNDED && inside.size() >= capacity) {
      return null;
    }
    store(new ItemQueue.Node<>(item));
    return SendResult.SENT;
  }

  private void store(ItemQueue.Node<T> node) {
    inside.add(node);
    sent++;
  }

  /** What the rule says for an item that could not be offered; null for an exception. */
  private @Nullable SendResult overflow(T item) {
    return switch (overflow.reaction()) {
      case BLOCK, REFUSE -> {
        refused++;
        yield SendResult.REFUSED;
      }
      case DROP_NEWEST -> {
        sent++;
        dropped++;
        yield SendResult.DROPPED;
      }
      case DROP_OLDEST -> {
        ItemQueue.Node<T> node = new ItemQueue.Node<>(item);
        Objects.requireNonNull(inside.poll());
        dropped++;
        store(node);
        yield SendResult.SENT;
      }
      case FAIL -> {
        refused++;
        yield null;
      }
    };
  }

  private ChannelFullException fullException() {
    return new ChannelFullException(
        this
            + " is full: receive faster, give it more capacity, or choose another overflow than to"
            + " fail");
  }

  /**
   * The next item, or null: then there is none, and if the channel is closed there will be none.
   */
  @Nullable T poll() {
    T item = inside.poll();
    if (item != null) {
      received++;
      refill();
      return item;
    }
    for (Place<T> sender = senders.poll(); sender != null; sender = senders.poll()) {
      if (serve(sender)) {
        sent++;
        received++;
        return sender.item;
      }
    }
    return null;
  }

  /** There is room for one: lets the next sender in. */
  private void refill() {
    for (Place<T> sender = senders.poll(); sender != null; sender = senders.poll()) {
      if (serve(sender)) {
        store(Objects.requireNonNull(sender.node));
        return;
      }
    }
  }

  void add(Place<T> place) {
    (place.node == null ? receivers : senders).add(place);
  }

  /** Takes the place of one who does not wait any more. */
  void leave(Place<T> place) {
    lock.acquire();
    try {
      (place.node == null ? receivers : senders).remove(place);
    } finally {
      unlock();
    }
  }

  // ---------------------------------------------------------------- sending

  @Override
  public SendResult send(T item) throws InterruptedException {
    return ensureOpen(put(item, sendNanos));
  }

  @Override
  public SendResult send(T item, Duration timeout) throws InterruptedException {
    return ensureOpen(put(item, nanos(timeout)));
  }

  @Override
  public SendResult sendOrClosed(T item) throws InterruptedException {
    return put(item, sendNanos);
  }

  @Override
  public SendResult sendOrClosed(T item, Duration timeout) throws InterruptedException {
    return put(item, nanos(timeout));
  }

  @Override
  public SendResult trySend(T item) {
    return ensureOpen(trySendOrClosed(item));
  }

  @Override
  public SendResult trySendOrClosed(T item) {
    ensureItem(item);
    Waiter.checkpoint();
    return offerOrOverflow(item);
  }

  private SendResult put(T item, long nanos) throws InterruptedException {
    ensureItem(item);
    Waiter.checkpoint();
    ThreadWait wait;
    Place<T> place;
    if (nanos == 0) {
      return offerOrOverflow(item);
    }
    lock.acquire();
    try {
      SendResult result = offer(item);
      if (result != null) {
        return result;
      }
      wait = new ThreadWait();
      place = Place.sends(wait, item);
      senders.add(place);
    } finally {
      unlock();
    }
    boolean served = false;
    try {
      served = wait.awaitRoom(nanos);
    } finally {
      if (!served) {
        leave(place);
      }
    }
    return served
        ? place.sendResult()
        : offerOrOverflow(item); // there may be room since it gave up
  }

  /** Sends, or does what the rule says. Takes the lock. */
  private SendResult offerOrOverflow(T item) {
    SendResult result;
    lock.acquire();
    try {
      result = offer(item);
      if (result == null) {
        result = overflow(item);
      }
    } finally {
      unlock();
    }
    if (result == null) {
      throw fullException();
    }
    return result;
  }

  static void ensureItem(@Nullable Object item) {
    if (item == null) {
      throw new NullPointerException(
          "null cannot be sent, since a null that is received says that there was nothing in time");
    }
  }

  SendResult ensureOpen(SendResult result) {
    if (result == SendResult.CLOSED) {
      throw closedException(
          "nothing more can be sent: stop the senders before, or use sendOrClosed");
    }
    return result;
  }

  ChannelClosedException closedException(String consequence) {
    return new ChannelClosedException(this + ": " + consequence);
  }

  // ---------------------------------------------------------------- receiving

  @Override
  public T receive() throws InterruptedException {
    return Objects.requireNonNull(item(take(Waiter.FOR_EVER)));
  }

  @Override
  public @Nullable T receive(Duration timeout) throws InterruptedException {
    return item(take(nanos(timeout)));
  }

  @Override
  public Received<T> receiveOrClosed() throws InterruptedException {
    return take(Waiter.FOR_EVER);
  }

  @Override
  public Received<T> receiveOrClosed(Duration timeout) throws InterruptedException {
    return take(nanos(timeout));
  }

  @Override
  public @Nullable T tryReceive() {
    return item(tryReceiveOrClosed());
  }

  @Override
  public Received<T> tryReceiveOrClosed() {
    Waiter.checkpoint();
    lock.acquire();
    try {
      T item = poll();
      if (item != null) {
        return new Received.Item<>(item);
      }
      return closed ? new Received.Closed<>() : new Received.None<>();
    } finally {
      unlock();
    }
  }

  /** Receives, waiting no longer than some nanoseconds. */
  Received<T> take(long nanos) throws InterruptedException {
    if (nanos == 0) {
      return tryReceiveOrClosed();
    }
    Waiter.checkpoint();
    ThreadWait wait;
    Place<T> place;
    lock.acquire();
    try {
      T item = poll();
      if (item != null) {
        return new Received.Item<>(item);
      }
      if (closed) {
        return new Received.Closed<>();
      }
      wait = new ThreadWait();
      place = Place.receives(wait);
      receivers.add(place);
    } finally {
      unlock();
    }
    boolean served = false;
    try {
      served = wait.await(nanos);
    } finally {
      if (!served) {
        leave(place);
      }
    }
    return served ? place.received() : new Received.None<>();
  }

  @Override
  public <X extends Exception> IntakeResult receiveEach(
      Intake intake, ItemHandler<? super T, X> handler) throws X, InterruptedException {
    Objects.requireNonNull(handler, "handler");
    return new IntakeRun(intake).run(this, handler);
  }

  @Nullable T item(Received<T> received) {
    return switch (received) {
      case Received.Item<T>(T item) -> item;
      case Received.None<T> _ -> null;
      case Received.Closed<T> _ ->
          throw closedException("nothing more can be received: end the loop, or use …OrClosed");
    };
  }

  static long nanos(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "the timeout is " + timeout + ", but it must not be negative: give zero or more");
    }
    return TimeUnit.NANOSECONDS.convert(timeout);
  }

  // ---------------------------------------------------------------- closing, and observers

  @Override
  public void close() {
    close(false);
  }

  @Override
  public void closeDropping() {
    close(true);
  }

  private void close(boolean drop) {
    lock.acquire();
    try {
      if (!closed) {
        closed = true;
        closeAll(senders);
        closeAll(receivers);
      }
      if (drop) {
        dropped += inside.clear();
      }
    } finally {
      unlock();
    }
  }

  private void closeAll(PlaceQueue<T> waiting) {
    for (Place<T> place = waiting.poll(); place != null; place = waiting.poll()) {
      place.closed = true;
      boolean _ = serve(place);
    }
  }

  @Override
  public Flow.Subscriber<T> subscriber(Consumer<? super Throwable> onFailure) {
    return new SinkSubscriber<>(this, onFailure);
  }

  @Override
  public boolean isClosed() {
    lock.acquire();
    try {
      return closed;
    } finally {
      lock.release();
    }
  }

  @Override
  public ChannelStats stats() {
    lock.acquire();
    try {
      return new ChannelStats(
          inside.size(),
          senders.countOpen(),
          receivers.countOpen(),
          sent,
          received,
          dropped,
          refused);
    } finally {
      lock.release();
    }
  }

  /** How many places there are, of whatever waits. For tests: nobody may leave one behind. */
  int places() {
    lock.acquire();
    try {
      return senders.countAll() + receivers.countAll();
    } finally {
      lock.release();
    }
  }

  @Override
  public String toString() {
    int size;
    boolean over;
    lock.acquire();
    try {
      size = inside.size();
      over = closed;
    } finally {
      lock.release();
    }
    String kind =
        switch (capacity) {
          case UNBOUNDED -> "unbounded channel with " + size + " inside";
          case 0 -> "rendezvous channel";
          default -> "channel with " + size + " of " + capacity + " inside";
        };
    return over ? "closed " + kind : kind;
  }
}
