package io.selvage.peers.vertx;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.util.concurrent.atomic.AtomicLong;

/** The one Vert.x instance, with as many event loops as it takes by itself: two for each core. */
final class Bus {
  static final Vertx VERTX = Vertx.vertx();
  static final EventBus EVENTS = VERTX.eventBus();

  private static final AtomicLong ADDRESSES = new AtomicLong();

  private Bus() {}

  /** Returns when the event loops run. */
  static void start() {
    await(VERTX.executeBlocking(() -> true));
  }

  /** An address that nothing had before. */
  static String address() {
    return Long.toString(ADDRESSES.incrementAndGet());
  }

  /** Waits, on a thread that is not Vert.x's. */
  static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }
}
