package io.selvage.kernel.internal.observe;

import io.selvage.kernel.internal.process.LocalProcess;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts news into the mailbox of the process that has asked for them. The process turns each into a
 * message of its own type when it takes it; only then does it count as seen, so a process that
 * falls behind has no more than {@code capacity} of them in its mailbox.
 *
 * @param <N> the news
 */
public final class ProcessOutlet<N> extends Outlet<N> {
  private final LocalProcess<?> owner;
  private final Function<? super N, ?> toMessage;

  /**
   * An outlet.
   *
   * @param owner the process
   * @param capacity how many may wait
   * @param perSecond how many may come in a second
   * @param sum counts the losses of all
   * @param lossNotice makes the notice of a loss
   * @param toMessage makes a message of the process
   */
  public ProcessOutlet(
      LocalProcess<?> owner,
      int capacity,
      int perSecond,
      LongAdder sum,
      LongFunction<N> lossNotice,
      Function<? super N, ?> toMessage) {
    super(capacity, perSecond, sum, lossNotice);
    this.owner = owner;
    this.toMessage = toMessage;
  }

  @Override
  public LocalProcess<?> owner() {
    return owner;
  }

  @Override
  boolean deliver(N news) {
    return owner.pushNews(this::message, news);
  }

  /** Runs in the process, when it takes the message. */
  private Object message(Object news) {
    taken();
    @Nullable N loss = newLoss();
    if (loss != null) {
      owner.pushNews(this::mapped, loss);
    }
    return mapped(news);
  }

  @SuppressWarnings("unchecked") // what deliver was given
  private Object mapped(Object news) {
    return Objects.requireNonNull(
        toMessage.apply((N) news), "the function given to subscribe or trace answered null");
  }

  @Override
  void ended() {
    // What is in the mailbox stays there.
  }
}
