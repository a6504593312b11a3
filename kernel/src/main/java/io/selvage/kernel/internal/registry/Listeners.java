package io.selvage.kernel.internal.registry;

import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.NewsSignal;
import io.selvage.kernel.spi.SpinLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who is told of the changes in a {@link KeyTable}: of those under one key, or of all. */
final class Listeners implements KeyTable.Audience {
  /** The key of those who are told of everything. */
  static final String EVERYTHING = "*";

  /** Turns a change into what the subscriber's function gets. */
  @FunctionalInterface
  interface Telling {
    Object news(Entry entry, boolean put);
  }

  private final KeyTable subscriptions;
  private final boolean byKey;
  private final Telling telling;

  /**
   * Nobody is told.
   *
   * @param byKey whether keys may be subscribed to
   * @param telling makes the news
   * @param lock the lock of the table, if a subscription and a picture of it are to be one step
   */
  Listeners(boolean byKey, Telling telling, @Nullable SpinLock lock) {
    this.subscriptions = new KeyTable(0, false, null, lock);
    this.byKey = byKey;
    this.telling = telling;
  }

  /**
   * Subscribes.
   *
   * @param process who is told
   * @param key of what, or {@link #EVERYTHING}
   * @param toMessage makes the message from the news
   * @param picture taken in the same moment, or null
   * @throws IllegalStateException if the table was closed
   */
  @SuppressWarnings("unchecked") // the news are what the telling makes
  Listening add(
      LocalProcess<?> process,
      Object key,
      Function<?, ?> toMessage,
      KeyTable.@Nullable Picture picture) {
    Listening listening =
        new Listening(subscriptions, process, key, (Function<Object, ?>) toMessage);
    KeyTable.Outcome outcome = subscriptions.put(listening, picture);
    if (outcome != KeyTable.Outcome.PUT) {
      throw new IllegalStateException(
          outcome == KeyTable.Outcome.CLOSED
              ? "the registry is closed: nobody can listen to it"
              : process + " has ended: it cannot subscribe");
    }
    return listening;
  }

  void close() {
    subscriptions.close();
  }

  @Override
  public NewsSignal[] news(Entry entry, boolean put) {
    if (subscriptions.size() == 0) {
      return KeyTable.NO_NEWS;
    }
    Entry all = subscriptions.first(EVERYTHING);
    Entry some = byKey ? subscriptions.first(entry.key) : null;
    if (all == null && some == null) {
      return KeyTable.NO_NEWS;
    }
    Object news = Objects.requireNonNull(telling.news(entry, put));
    List<NewsSignal> signals = new ArrayList<>();
    add(signals, some, news);
    add(signals, all, news);
    return signals.toArray(KeyTable.NO_NEWS);
  }

  private static void add(List<NewsSignal> signals, @Nullable Entry first, Object news) {
    for (Entry e = first; e != null; e = KeyTable.after(e)) {
      signals.add(((Listening) e).signal(news));
    }
  }

  @Override
  public int version() {
    return subscriptions.version();
  }
}
