package io.selvage.kernel.internal.process;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A message that its receiver has expected: there is one only, so it counts if nobody takes it,
 * other than the news of a subscription.
 */
final class ExpectedSignal extends NewsSignal {
  private final @Nullable LocalProcess<?> sender;

  ExpectedSignal(
      LocalProcess<?> receiver,
      @Nullable LocalProcess<?> sender,
      Function<Object, ?> toMessage,
      Object news) {
    super(receiver, ALWAYS, toMessage, news);
    this.sender = sender;
  }

  @Override
  protected boolean isMessage() {
    return true;
  }

  @Override
  protected @Nullable LocalProcess<?> sender() {
    return sender;
  }

  @Override
  protected Way way() {
    return Way.EXPECTED;
  }
}
