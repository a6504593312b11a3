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
  private final Function<Object, ?> letter;

  ExpectedSignal(
      LocalProcess<?> receiver,
      @Nullable LocalProcess<?> sender,
      Function<Object, ?> toMessage,
      Function<Object, ?> letter,
      Object news) {
    super(receiver, ALWAYS, toMessage, news);
    this.sender = sender;
    this.letter = letter;
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
  protected Object letter() {
    return letter.apply(shown());
  }

  @Override
  protected Way way() {
    return Way.EXPECTED;
  }
}
