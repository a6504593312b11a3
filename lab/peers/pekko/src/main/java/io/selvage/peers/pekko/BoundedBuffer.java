package io.selvage.peers.pekko;

import io.selvage.peers.Savina;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Producers hand items to consumers through a buffer, which makes them wait while it is full. */
final class BoundedBuffer {
  private record Item(int number, double value) implements Delivery {}

  /** What the buffer hears. */
  private sealed interface Request {
    record Put(Item item, ActorRef<Proceed> producer) implements Request {}

    record Get(ActorRef<Delivery> consumer) implements Request {}

    /** From a producer that has no more. */
    enum Finished implements Request {
      FINISHED
    }
  }

  /** What a producer hears when there was room for its item. */
  private enum Proceed {
    PROCEED
  }

  /** What a consumer hears. */
  private sealed interface Delivery {
    enum Stop implements Delivery {
      STOP
    }
  }

  /** What a consumer has done; its work gives a number, so that none of it can be left out. */
  private record Consumed(long items, long sum, double used) {}

  private final int size;
  private final int producers;
  private final int consumers;
  private final int items;
  private final int cost;
  private final CompletableFuture<Long> result;
  private int stoppedConsumers;
  private long consumed;
  private long sum;
  private double used;

  private BoundedBuffer(
      int size, int producers, int consumers, int items, int cost, CompletableFuture<Long> result) {
    this.size = size;
    this.producers = producers;
    this.consumers = consumers;
    this.items = items;
    this.cost = cost;
    this.result = result;
  }

  /** Consumers wait only if there are no items; producers, only if there is no room. */
  private final class Buffer {
    private final Queue<Item> stored = new ArrayDeque<>(size);
    private final Queue<ActorRef<Delivery>> waitingConsumers = new ArrayDeque<>();
    private final Queue<Request.Put> waitingProducers = new ArrayDeque<>();
    private int producing = producers;

    private Behavior<Request> onRequest(Request request) {
      switch (request) {
        case Request.Put put -> onPut(put);
        case Request.Get(ActorRef<Delivery> consumer) -> onGet(consumer);
        case Request.Finished.FINISHED -> {
          producing--;
          if (producing == 0) {
            waitingConsumers.forEach(consumer -> consumer.tell(Delivery.Stop.STOP));
            waitingConsumers.clear();
          }
        }
      }
      return Behaviors.same();
    }

    private void onPut(Request.Put put) {
      ActorRef<Delivery> consumer = waitingConsumers.poll();
      if (consumer != null) {
        consumer.tell(put.item());
      } else if (stored.size() < size) {
        stored.add(put.item());
      } else {
        waitingProducers.add(put);
        return;
      }
      put.producer().tell(Proceed.PROCEED);
    }

    private void onGet(ActorRef<Delivery> consumer) {
      Item item = stored.poll();
      if (item == null) {
        if (producing == 0) {
          consumer.tell(Delivery.Stop.STOP);
        } else {
          waitingConsumers.add(consumer);
        }
        return;
      }
      consumer.tell(item);
      Request.Put next = waitingProducers.poll();
      if (next != null) {
        stored.add(next.item());
        next.producer().tell(Proceed.PROCEED);
      }
    }
  }

  private final class Producer {
    private final ActorRef<Proceed> self;
    private final ActorRef<Request> buffer;
    private int produced;
    private double value;

    Producer(ActorRef<Proceed> self, ActorRef<Request> buffer) {
      this.self = self;
      this.buffer = buffer;
      produce();
    }

    private void produce() {
      value = Savina.work(value, cost);
      produced++;
      buffer.tell(new Request.Put(new Item(produced, value), self));
    }

    private Behavior<Proceed> onProceed(Proceed proceed) {
      if (produced < items) {
        produce();
        return Behaviors.same();
      }
      buffer.tell(Request.Finished.FINISHED);
      return Behaviors.stopped();
    }
  }

  private final class Consumer {
    private final ActorRef<Consumed> parent;
    private final ActorRef<Request> buffer;
    private final Request.Get get;
    private long count;
    private long sumOfNumbers;
    private double used;

    Consumer(ActorRef<Delivery> self, ActorRef<Request> buffer, ActorRef<Consumed> parent) {
      this.parent = parent;
      this.buffer = buffer;
      this.get = new Request.Get(self);
      buffer.tell(get);
    }

    private Behavior<Delivery> onDelivery(Delivery delivery) {
      switch (delivery) {
        case Item item -> {
          count++;
          sumOfNumbers += item.number();
          used = Savina.work(used + item.value(), cost);
          buffer.tell(get);
          return Behaviors.same();
        }
        case Delivery.Stop.STOP -> {
          parent.tell(new Consumed(count, sumOfNumbers, used));
          return Behaviors.stopped();
        }
      }
    }
  }

  private Behavior<Consumed> parent(ActorContext<Consumed> context) {
    ActorRef<Request> buffer =
        context.spawn(Behaviors.receiveMessage(new Buffer()::onRequest), "buffer");
    for (int i = 0; i < producers; i++) {
      context.spawnAnonymous(
          Behaviors.<Proceed>setup(producer ->
              Behaviors.receiveMessage(new Producer(producer.getSelf(), buffer)::onProceed)));
    }
    for (int i = 0; i < consumers; i++) {
      context.spawnAnonymous(
          Behaviors.<Delivery>setup(consumer ->
              Behaviors.receiveMessage(
                  new Consumer(consumer.getSelf(), buffer, context.getSelf())::onDelivery)));
    }
    return Behaviors.receiveMessage(this::onConsumed);
  }

  /** The buffer stops with its parent. */
  private Behavior<Consumed> onConsumed(Consumed by) {
    consumed += by.items();
    sum += by.sum();
    used += by.used();
    stoppedConsumers++;
    if (stoppedConsumers < consumers) {
      return Behaviors.same();
    }
    boolean right =
        sum == producers * (items * (items + 1L) / 2) && used < 0; // most logarithms are
    return Behaviors.stopped(() -> result.complete(right ? consumed : -1));
  }

  static long run(int buffer, int producers, int consumers, int items, int cost)
      throws InterruptedException, ExecutionException {
    return Guardian.<Long>run(
        result ->
            Behaviors.setup(
                new BoundedBuffer(buffer, producers, consumers, items, cost, result)::parent));
  }
}
