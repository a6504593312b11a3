package io.selvage.channel.stage;

import io.selvage.channel.Channel;
import io.selvage.channel.Received;
import io.selvage.channel.Source;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.spi.Expected;
import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the items of sources come from. */
final class Sources {
  private Sources() {}

  /** An iterator. */
  record OfIterator<T>(Iterator<? extends T> items) implements StageProgram<Void, T> {
    @Override
    public boolean feed(StageLoop<Void, T> stage) {
      if (items.hasNext()) {
        stage.emit(items.next());
      } else {
        stage.complete();
      }
      return true;
    }
  }

  /** A supplier. */
  record OfSupplier<T>(Supplier<? extends @Nullable T> items) implements StageProgram<Void, T> {
    @Override
    public boolean feed(StageLoop<Void, T> stage) {
      T item = items.get();
      if (item != null) {
        stage.emit(item);
      } else {
        stage.complete();
      }
      return true;
    }
  }

  /** A channel. What is not there yet comes as a message. */
  static class OfChannel<T> implements StageProgram<Void, T> {
    private final Source<? extends T> channel;
    private boolean requested;

    OfChannel(Source<? extends T> channel) {
      this.channel = channel;
    }

    @Override
    public boolean feed(StageLoop<Void, T> stage) {
      return !requested && feed(channel, stage);
    }

    private <S extends T> boolean feed(Source<S> from, StageLoop<Void, T> stage) {
      Received<S> received = from.tryReceiveOrClosed();
      if (received instanceof Received.None<S>) {
        requested = true;
        Function<Received<S>, StageMessage<Void, T>> toMessage =
            later ->
                StageLoop.awaited(loop -> {
                  requested = false;
                  take(later, loop);
                });
        from.requestReceive(stage.self(), toMessage);
        return false;
      }
      take(received, stage);
      return true;
    }

    private void take(Received<? extends T> received, StageLoop<Void, T> stage) {
      switch (received) {
        case Received.Item<? extends T>(T item) -> stage.emit(item);
        case Received.Closed<? extends T> _ -> ended(stage);
        case Received.None<? extends T> _ -> {}
      }
    }

    /** The channel is closed and empty. */
    void ended(StageLoop<Void, T> stage) {
      stage.complete();
    }
  }

  /** A publisher, by way of a channel. */
  static final class OfPublisher<T> implements StageProgram<Void, T> {
    private final Flow.Publisher<T> publisher;
    private final Channel<T> channel;

    /** Set before the channel is closed. */
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private final OfChannel<T> fromChannel;

    OfPublisher(Flow.Publisher<T> publisher, int ahead) {
      this.publisher = publisher;
      this.channel = Channel.bounded(ahead);
      this.fromChannel =
          new OfChannel<>(channel) {
            @Override
            void ended(StageLoop<Void, T> stage) {
              Throwable cause = failure.get();
              if (cause == null) {
                stage.complete();
              } else {
                stage.fail(new ExitReason.Crash(cause));
              }
            }
          };
    }

    @Override
    public void begin(StageLoop<Void, T> stage) {
      // However the process ends, the channel is closed, and the subscription cancelled by that.
      Expected<Boolean> _ =
          Expected.by(stage.self(), _ -> StageLoop.awaited(_ -> {}), channel::closeDropping);
      publisher.subscribe(channel.subscriber(failure::set));
    }

    @Override
    public boolean feed(StageLoop<Void, T> stage) {
      return fromChannel.feed(stage);
    }
  }
}
