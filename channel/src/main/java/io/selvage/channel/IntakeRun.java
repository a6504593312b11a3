package io.selvage.channel;

import io.selvage.channel.IntakeResult.End;
import io.selvage.kernel.spi.Waiter;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One receiving of many items, on the thread that does it. */
final class IntakeRun {
  private final Intake intake;
  private final Waiter clock = Waiter.current();
  private final long start = clock.nanoTime();
  private final long emptyNanos;
  private final long totalNanos;
  private long extracted;
  private long handled;

  IntakeRun(Intake intake) {
    this.intake = Objects.requireNonNull(intake, "intake");
    this.emptyNanos = nanos(intake.empty());
    this.totalNanos = nanos(intake.total());
  }

  private static long nanos(@Nullable Duration time) {
    return time == null ? Waiter.FOR_EVER : LocalChannel.nanos(time);
  }

  <T, X extends Exception> IntakeResult run(
      LocalChannel<T> channel, ItemHandler<? super T, X> handler) throws X, InterruptedException {
    while (true) {
      long left = totalNanos == Waiter.FOR_EVER ? Waiter.FOR_EVER : left();
      if (left == 0) {
        return ended(End.TIME_OVER);
      }
      boolean emptyFirst =
          emptyNanos != Waiter.FOR_EVER && (left == Waiter.FOR_EVER || emptyNanos < left);
      switch (channel.take(emptyFirst ? emptyNanos : left)) {
        case Received.Item<T>(T item) -> {
          extracted++;
          if (handler.handle(item)) {
            handled++;
          }
          End end = endAfterItem();
          if (end != null) {
            return ended(end);
          }
        }
        case Received.None<T> _ -> {
          return ended(emptyFirst ? End.EMPTY : End.TIME_OVER);
        }
        case Received.Closed<T> _ -> {
          return ended(End.CLOSED);
        }
      }
    }
  }

  private long left() {
    return Math.max(0, totalNanos - (clock.nanoTime() - start));
  }

  private @Nullable End endAfterItem() {
    if (intake.handled() > 0 && handled == intake.handled()) {
      return End.HANDLED;
    }
    if (intake.extracted() > 0 && extracted == intake.extracted()) {
      return End.EXTRACTED;
    }
    return intake.stop().getAsBoolean() ? End.STOPPED : null;
  }

  private IntakeResult ended(End end) {
    return new IntakeResult(extracted, handled, end);
  }
}
