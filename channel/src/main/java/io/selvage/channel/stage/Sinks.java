package io.selvage.channel.stage;

import io.selvage.channel.Channel;
import io.selvage.channel.SendResult;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.spi.Expected;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Where the items of sinks go. */
final class Sinks {
  private Sinks() {}

  /** A channel. The process waits when it is full, as the handler of an event process may. */
  record ToChannel<I>(Channel<? super I> channel) implements StageProgram<I, Void> {
    @Override
    public void onItem(I item, Output<Void> out) throws InterruptedException {
      if (channel.sendOrClosed(item) == SendResult.CLOSED) {
        out.finish();
      }
    }

    @Override
    public void onEnd(Output<Void> out) {
      channel.close();
    }
  }

  /** A process. */
  record ToProcess<I>(Pid<? super I> process) implements StageProgram<I, Void> {
    @Override
    public void begin(StageLoop<I, Void> stage) {
      stage
          .self()
          .monitor(
              process, down -> StageLoop.awaited(running -> processEnded(running, down.reason())));
    }

    private static <I> void processEnded(StageLoop<I, Void> stage, ExitReason reason) {
      if (reason.isOrderly()) {
        stage.finish();
      } else {
        stage.fail(reason);
      }
    }

    @Override
    public void onItem(I item, Output<Void> out) {
      process.send(item);
    }
  }

  /** A subscriber, by way of a channel, whose publisher waits until the subscriber asks. */
  static final class ToSubscriber<I> implements StageProgram<I, Void> {
    private final Flow.Subscriber<? super I> subscriber;
    private final Channel<I> channel = Channel.rendezvous();

    /** What the subscriber is told when the channel is closed; null if that is in order. */
    private final AtomicReference<@Nullable Throwable> end =
        new AtomicReference<>(
            new CancellationException(
                "the stage that feeds this subscriber was ended before it had completed"));

    ToSubscriber(Flow.Subscriber<? super I> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void begin(StageLoop<I, Void> stage) {
      Expected<Boolean> _ =
          Expected.by(stage.self(), _ -> StageLoop.awaited(_ -> {}), channel::close);
      channel.publisher().subscribe(new Told());
    }

    @Override
    public void onItem(I item, Output<Void> out) throws InterruptedException {
      if (channel.sendOrClosed(item) == SendResult.CLOSED) {
        out.finish();
      }
    }

    @Override
    public void onEnd(Output<Void> out) {
      end.set(null); // the channel is closed with the process
    }

    @Override
    public void failed(ExitReason reason) {
      end.set(new ExitException(reason));
    }

    /** Tells the subscriber how it has ended, and closes the channel if the subscriber cancels. */
    private final class Told implements Flow.Subscriber<I> {
      @Override
      public void onSubscribe(Flow.Subscription subscription) {
        subscriber.onSubscribe(
            new Flow.Subscription() {
              @Override
              public void request(long n) {
                subscription.request(n);
              }

              @Override
              public void cancel() {
                subscription.cancel();
                channel.close();
              }
            });
      }

      @Override
      public void onNext(I item) {
        subscriber.onNext(item);
      }

      @Override
      public void onError(Throwable failure) {
        channel.close();
        subscriber.onError(failure);
      }

      @Override
      public void onComplete() {
        Throwable failure = end.get();
        if (failure == null) {
          subscriber.onComplete();
        } else {
          subscriber.onError(failure);
        }
      }
    }
  }
}
