package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * News for a process that has subscribed to them: becomes a message if the subscription still
 * stands when the process fetches it.
 *
 * <p>Unlike other signals it is pushed in two steps, {@link #place} and {@link #wake}, so that the
 * order of news can be fixed under the lock that orders what they tell, and the receiver be woken
 * outside of it.
 */
public sealed class NewsSignal extends Signal permits ExpectedSignal {
  /** For news that come even if the subscription was closed on their way. */
  static final BooleanSupplier ALWAYS = () -> true;

  private final LocalProcess<?> receiver;
  private final BooleanSupplier stands;
  private final Function<Object, ?> toMessage;
  private final Object news;

  /** The message, once a selective receive has looked at it. */
  private @Nullable Object made;

  /** Whether {@link #place} found the receiver waiting. The sender's thread only. */
  private boolean wakes;

  /**
   * News that have not been placed.
   *
   * @param receiver who gets them
   * @param stands the kernel's answer to whether the subscription stands
   * @param toMessage makes the message, in the receiver
   * @param news what it is made from
   */
  public NewsSignal(
      LocalProcess<?> receiver,
      BooleanSupplier stands,
      Function<Object, ?> toMessage,
      Object news) {
    this.receiver = receiver;
    this.stands = stands;
    this.toMessage = toMessage;
    this.news = news;
  }

  /** Puts this into the receiver's inbox. Allocates nothing, and may run under a spin lock. */
  public void place() {
    wakes = receiver.place(this);
  }

  /** Wakes the receiver, if that is due. Under no lock. */
  public void wake() {
    if (wakes) {
      wakes = false;
      receiver.wakeNow(Runner.current());
    }
  }

  @Override
  protected void act(LocalProcess<?> self) {
    if (stands.getAsBoolean()) {
      self.unread(this);
    }
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    Object message = message();
    made = message;
    return message;
  }

  @Override
  protected Object shown() {
    return news;
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    if (news instanceof KernelEvent.DeadLetter) {
      self.takesDeadLetter(); // not when it is looked at: it may be skipped
    }
    return message();
  }

  private Object message() {
    if (made != null) {
      return made;
    }
    @Nullable Object message = toMessage.apply(news);
    return Objects.requireNonNull(message, "the function given to the subscription answered null");
  }
}
