package io.selvage.kernel.internal.registry;

import io.selvage.kernel.Subscription;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.NewsSignal;
import io.selvage.kernel.internal.process.StackReserve;
import java.util.function.Function;

/** A process that is told of changes: an entry in the table of {@link Listeners}. */
public final class Listening extends Entry implements Subscription {
  private final Function<Object, ?> toMessage;

  /**
   * Whether it was taken back, so that news on their way are dropped. A registry that closes lets
   * its subscriptions go, but what it had told before still comes.
   */
  private volatile boolean cancelled;

  /**
   * A subscription that has not been put.
   *
   * @param table the table of subscriptions
   * @param process who is told
   * @param key of what
   * @param toMessage makes the message from the news
   */
  Listening(KeyTable table, LocalProcess<?> process, Object key, Function<Object, ?> toMessage) {
    super(table, process, key, null);
    this.toMessage = toMessage;
  }

  NewsSignal signal(Object news) {
    return new NewsSignal(process, () -> !cancelled, toMessage, news);
  }

  @Override
  public long lost() {
    return 0;
  }

  @Override
  public boolean isOpen() {
    return !cancelled && isThere();
  }

  @Override
  public void close() {
    StackReserve.ensure();
    cancelled = true;
    table.takeBack(this);
  }

  @Override
  public String toString() {
    return "subscription of " + process;
  }
}
