package io.selvage.kernel.internal.process;

import io.selvage.kernel.Self;
import io.selvage.kernel.spi.Expected;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import java.util.Objects;
import java.util.function.Function;

/**
 * A message that is expected: something its process owns, until it is delivered.
 *
 * @param <N> what it is made from
 */
public final class ExpectedMessage<N> extends Possession implements Expected<N> {
  private final LocalProcess<?> owner;
  private final Function<? super N, ?> toMessage;
  private final Function<? super N, ?> letter;
  private final Runnable onEnd;

  private ExpectedMessage(
      LocalProcess<?> owner,
      Function<? super N, ?> toMessage,
      Function<? super N, ?> letter,
      Runnable onEnd) {
    this.owner = owner;
    this.toMessage = toMessage;
    this.letter = letter;
    this.onEnd = onEnd;
  }

  /** See {@link Expected#by}. */
  public static <N> ExpectedMessage<N> by(
      Self<?> self,
      Function<? super N, ?> toMessage,
      Function<? super N, ?> letter,
      Runnable onEnd) {
    Objects.requireNonNull(toMessage, "toMessage");
    Objects.requireNonNull(letter, "letter");
    Objects.requireNonNull(onEnd, "onEnd");
    LocalProcess<?> process = (LocalProcess<?>) self;
    process.ensureRunning();
    ExpectedMessage<N> expected = new ExpectedMessage<>(process, toMessage, letter, onEnd);
    if (!process.own(expected)) {
      throw new IllegalStateException(
          process + " is ending, so it can expect no message: nothing would take it");
    }
    return expected;
  }

  @Override
  @SuppressWarnings("unchecked") // what is given to deliver is an N
  public void deliver(N news) {
    Objects.requireNonNull(news, "news");
    boolean _ = owner.disown(this);
    Runner runner = Runner.current();
    LocalProcess<?> sender = runner == null ? null : runner.process;
    ExpectedSignal signal =
        new ExpectedSignal(
            owner, sender, (Function<Object, ?>) toMessage, (Function<Object, ?>) letter, news);
    if (!owner.push(signal, runner)) {
      owner.node.deadLetter(sender, Way.EXPECTED, owner, signal.letter(), Cause.ENDED, true);
    }
  }

  @Override
  public void callOff() {
    boolean _ = owner.disown(this);
  }

  @Override
  protected void release() {
    onEnd.run();
  }
}
