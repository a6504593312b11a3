package io.selvage.examples;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Limit;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SendResult;
import io.selvage.kernel.SpawnOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Of the guide: a process that has room for some of what it is sent. */
public final class Studio {
  private Studio() {}

  sealed interface Msg {
    record Break(CountDownLatch over) implements Msg {}

    record Frame(int number) implements Msg {}

    record Order(int number) implements Msg {}

    record Upload(ByteBuffer film) implements Msg {
      long bytes() {
        return film.capacity();
      }
    }
  }

  static Limits<Msg> limits(Pid<Msg> spare) {
    return Limits.<Msg>none()
        .on(Msg.Frame.class, Limit.messages(2).thenDropOldest())
        .on(Msg.Order.class, Limit.messages(1).thenWait(Duration.ofSeconds(1)).thenRefuse())
        .on(Msg.Upload.class, Limit.weight(10_000_000, Msg.Upload::bytes).thenRedirect(spare))
        .others(Limit.messages(1_000).thenDrop());
  }

  static Pid<Msg> start(Node node, Pid<Msg> spare, BlockingQueue<String> log) {
    return node.spawn(studio(log), SpawnOptions.<Msg>defaults().withLimits(limits(spare)));
  }

  static String order(Pid<Msg> studio, int number) {
    return switch (studio.trySend(new Msg.Order(number))) {
      case SENT -> "ordered";
      case REFUSED -> "the order has no room";
      case ENDED -> "the studio is closed";
    };
  }

  private static Behavior<Msg> studio(BlockingQueue<String> log) {
    return (_, message) -> {
      switch (message) {
        case Msg.Break(var over) -> over.await();
        case Msg.Frame(int number) -> log.add("frame " + number);
        case Msg.Order(int number) -> log.add("order " + number);
        case Msg.Upload upload -> log.add(upload.bytes() + " bytes");
      }
      return Behavior.same();
    };
  }

  /**
   * Prints what the studio has done after its break.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<String> log = new LinkedBlockingQueue<>();
    try (Node node = Node.start()) {
      Pid<Msg> spare = node.spawn(studio(log));
      Pid<Msg> studio = start(node, spare, log);
      CountDownLatch over = new CountDownLatch(1);
      studio.send(new Msg.Break(over));
      for (int i = 1; i <= 3; i++) {
        studio.send(new Msg.Frame(i));
      }
      if (studio.trySend(new Msg.Order(1)) == SendResult.SENT) {
        System.out.println(order(studio, 2));
      }
      over.countDown();
      for (int i = 0; i < 3; i++) {
        System.out.println(log.take());
      }
    }
  }
}
