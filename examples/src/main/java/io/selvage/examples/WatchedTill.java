package io.selvage.examples;

import io.selvage.kernel.Backlog;
import io.selvage.kernel.Baseline;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Counter;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.NodeStats;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.Ranked;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.Trace;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.spi.KernelEvent;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/** The guide's till, whose printer is stuck: how an operator finds out, and what it tells. */
public final class WatchedTill {
  private WatchedTill() {}

  private static final CountDownLatch BACK = new CountDownLatch(1);

  record Order(int number) {}

  private static void show(Object entry) {
    System.out.println(entry);
  }

  static void report(Node node) {
    NodeStats stats = node.stats();
    System.out.printf(
        "%d processes, %d crashed, %d messages reached nobody%n",
        stats.processes(), stats.crashed(), stats.undelivered());
    for (Ranked longest : node.top(Counter.MAILBOX, 3)) {
      Optional<ProcessInfo> info = node.info(longest.pid()); // empty if it has ended since
      info.ifPresent(i ->
          System.out.printf(
              "%s is %s, has taken %d, and %d wait%n",
              i.label(), i.state(), i.handled(), i.mailbox()));
      List<StackTraceElement> stack = node.stack(longest.pid());
      stack.stream()
          .filter(frame -> frame.getClassName().startsWith("io.selvage.examples"))
          .findFirst()
          .ifPresent(frame -> System.out.println("  in " + frame.getMethodName()));
    }
  }

  static List<Ranked> busiest(Node node, Duration window) throws InterruptedException {
    Baseline before = node.baseline(Counter.HANDLED);
    Thread.sleep(window);
    return before.top(3);
  }

  static Subscription alarms(Node node) {
    EventFilter filter =
        EventFilter.of(
            KernelEvent.LongQueue.class,
            KernelEvent.ProcessCrashed.class,
            KernelEvent.ProcessRestarted.class);
    return node.subscribe(filter.withLongQueue(50), WatchedTill::alarm);
  }

  static void alarm(KernelEvent event) {
    switch (event) {
      case KernelEvent.LongQueue(var _, long length, Backlog backlog) -> {
        String type = backlog.types().getFirst().name();
        System.out.println("long queue: " + length + ", most of them " + type);
      }
      case KernelEvent.ProcessCrashed crash ->
          System.out.println(crash.report().label() + " crashed: " + crash.reason());
      case KernelEvent.ProcessRestarted restart -> {
        System.out.println(restart.label() + " is back");
        BACK.countDown();
      }
      case KernelEvent.EventsLost(long events) -> System.out.println(events + " events lost");
      default -> {} // not asked for
    }
  }

  static Pid<Order> open(Node node, Semaphore printer, SpawnOptions<Order> options) {
    return node.spawn(
        self -> {
          while (true) {
            print(self.receive(), printer);
          }
        },
        options.labelled("till"));
  }

  private static void startClock(Node node) {
    Behavior<String> clock =
        (self, tick) -> {
          self.sendAfter(Duration.ofMillis(1), tick);
          return Behavior.same();
        };
    node.spawn(clock, SpawnOptions.<String>defaults().labelled("clock")).send("tick");
  }

  private static void print(Order order, Semaphore printer) throws InterruptedException {
    if (order.number() < 0) {
      throw new IllegalArgumentException("no such order: " + order.number());
    }
    printer.acquire();
  }

  /**
   * Prints what is seen of a till.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    Semaphore printer = new Semaphore(0);
    NodeOptions quiet = NodeOptions.defaults().withEvents(_ -> {});
    try (Node node = Node.start(quiet);
        Subscription _ = alarms(node)) {
      Pid<Order> till = open(node, printer, SpawnOptions.defaults());
      startClock(node);
      for (int number = 1; number <= 100; number++) {
        till.send(new Order(number));
      }
      await(() -> isBlocked(node, till));
      report(node);

      try (TraceSession session = node.trace(TraceOptions.defaults(), WatchedTill::show)) {
        session.trace(till, EnumSet.of(Trace.RECEIVES, Trace.EXITS));
        printer.release(100);
        await(() -> node.info(till).orElseThrow().mailbox() == 0);
      }
      for (Ranked busy : busiest(node, Duration.ofMillis(100))) {
        String label = node.info(busy.pid()).map(ProcessInfo::label).orElse("one that has ended");
        System.out.println("busiest: " + label + ", " + busy.value());
      }

      till.send(new Order(-1));
      await(() -> !till.isAlive());
      open(node, printer, SpawnOptions.<Order>defaults().restartOf(till));
      BACK.await(); // events come a little later
    }
  }

  private static boolean isBlocked(Node node, Pid<?> pid) {
    return node.info(pid).orElseThrow().state() == ProcessInfo.State.BLOCKED;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(1);
    }
  }
}
