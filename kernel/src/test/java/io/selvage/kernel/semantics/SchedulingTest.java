package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who gets to run: the kernel's own scheduler of event processes, and what may not disturb it. */
class SchedulingTest extends KernelTest {
  private static final long ENOUGH_NANOS = 1_000_000_000L;

  private record Ping(long sentAt) {}

  private record Question(ReplyTo<String> replyTo) {}

  private static void compute(long nanos) {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  @Test
  void processThatSendsToItselfForEver_doesNotStarveOthers() {
    restart(NodeOptions.defaults().withWorkers(1));
    AtomicLong turns = new AtomicLong();
    for (int i = 0; i < 3; i++) {
      Pid<String> greedy =
          Kind.EVENT.spawn(
              node,
              (self, message) -> {
                turns.incrementAndGet();
                self.pid().send(message);
              });
      greedy.send("again");
    }
    Await.until("the greedy ones to run", () -> turns.get() > 1_000);
    for (Kind kind : List.of(Kind.EVENT, Kind.DIRECT)) {
      Probe modest = Probe.start(kind, node);
      for (int i = 0; i < 100; i++) {
        modest.barrier();
      }
    }
    long before = turns.get();
    Await.until("the greedy ones to go on", () -> turns.get() > before + 1_000);
  }

  @Test
  void processesThatPlayPingPong_doNotStarveOthers() {
    restart(NodeOptions.defaults().withWorkers(1));
    AtomicLong rallies = new AtomicLong();
    List<Pid<Integer>> players = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int other = 1 - i;
      players.add(
          Kind.EVENT.spawn(
              node,
              (_, ball) -> {
                rallies.incrementAndGet();
                players.get(other).send(ball + 1);
              }));
    }
    players.getFirst().send(0);
    Await.until("the rally", () -> rallies.get() > 1_000);
    Probe spectator = Probe.start(Kind.EVENT, node);
    for (int i = 0; i < 100; i++) {
      spectator.barrier();
    }
  }

  @Test
  void floodFromOutside_doesNotStarveOthers() {
    restart(NodeOptions.defaults().withWorkers(1));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong sent = new AtomicLong();
    AtomicLong handled = new AtomicLong();
    Pid<String> flooded = Kind.EVENT.spawn(node, (_, _) -> handled.incrementAndGet());
    Thread flood =
        Thread.ofPlatform()
            .start(() -> {
              while (!stop.get()) {
                flooded.send("drop");
                if (sent.incrementAndGet() - handled.get() > 10_000) {
                  LockSupport.parkNanos(10_000);
                }
              }
            });
    Probe other = Probe.start(Kind.EVENT, node);
    for (int i = 0; i < 100; i++) {
      other.barrier();
    }
    stop.set(true);
    Await.until("the flood to end", () -> !flood.isAlive());
    Await.until("all to be handled", () -> handled.get() == sent.get());
  }

  // None of the three delays a thousand others, and each is told of once.
  @Test
  void handlersThatSleepComputeAndCall_delayNobodyAndAreReportedOnceEach() {
    int bystanders = 1_000;
    AtomicInteger pings = new AtomicInteger();
    AtomicLong longest = new AtomicLong();
    List<Pid<Ping>> others = new ArrayList<>();
    for (int i = 0; i < bystanders; i++) {
      others.add(
          Kind.EVENT.spawn(
              node,
              (_, ping) -> {
                long delay = System.nanoTime() - ping.sentAt();
                longest.accumulateAndGet(delay, Math::max);
                pings.incrementAndGet();
              }));
    }
    Pid<Question> slow =
        Kind.DIRECT.spawn(
            node,
            (_, question) -> {
              Thread.sleep(1_000);
              question.replyTo().send("done");
            });
    CountDownLatch done = new CountDownLatch(3);
    Pid<String> sleeps =
        Kind.EVENT.spawn(
            node,
            (_, _) -> {
              Thread.sleep(1_000);
              done.countDown();
            });
    Pid<String> computes =
        Kind.EVENT.spawn(
            node,
            (_, _) -> {
              compute(ENOUGH_NANOS);
              done.countDown();
            });
    Pid<String> calls =
        Kind.EVENT.spawn(
            node,
            (_, _) -> {
              String _ = slow.<String>call(Question::new, Duration.ofSeconds(60));
              done.countDown();
            });
    List.of(sleeps, computes, calls).forEach(each -> each.send("go"));
    int sent = 0;
    while (done.getCount() > 0) {
      for (Pid<Ping> other : others) {
        other.send(new Ping(System.nanoTime()));
        sent++;
      }
      LockSupport.parkNanos(2_000_000);
    }
    int all = sent;
    Await.until("all pings", () -> pings.get() == all);
    assertThat(Duration.ofNanos(longest.get())).isLessThan(Duration.ofMillis(500));
    assertThat(reportsOf(sleeps)).singleElement().isEqualTo(KernelEvent.Doing.BLOCKED);
    assertThat(reportsOf(computes)).singleElement().isEqualTo(KernelEvent.Doing.COMPUTING);
    assertThat(reportsOf(calls)).singleElement().isEqualTo(KernelEvent.Doing.CALLING);
    assertThat(events.of(KernelEvent.LongHandler.class))
        .allSatisfy(report -> {
          assertThat(report.count()).isEqualTo(1);
          assertThat(report.stack()).isNotEmpty();
          assertThat(report.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        });
  }

  private List<KernelEvent.Doing> reportsOf(Pid<?> pid) {
    return events.of(KernelEvent.LongHandler.class).stream()
        .filter(report -> report.pid().equals(pid))
        .map(KernelEvent.LongHandler::doing)
        .toList();
  }

  @Test
  void longHandlers_ofOneKind_areReportedTheFirstAndTheTenthTime() {
    restart(NodeOptions.defaults().withLongHandler(Duration.ofMillis(20)));
    Pid<String> sleeps = Kind.EVENT.spawn(node, (_, _) -> Thread.sleep(60));
    for (int i = 0; i < 12; i++) {
      sleeps.send("go");
    }
    Probe after = Probe.start(Kind.EVENT, node);
    Await.until(
        () -> "the tenth report: " + events.of(KernelEvent.LongHandler.class),
        () -> events.of(KernelEvent.LongHandler.class).size() >= 2,
        Await.LIMIT);
    after.barrier();
    sleeps.kill();
    Await.until("the end", () -> !sleeps.isAlive());
    assertThat(events.of(KernelEvent.LongHandler.class))
        .extracting(KernelEvent.LongHandler::count)
        .containsExactly(1L, 10L);
  }

  // More handlers block than there are workers, for each number of workers.
  @Test
  void handlersThatBlock_moreThanThereAreWorkers_doNotStopOthers() {
    for (int workers : new int[] {1, 2, 4}) {
      Node narrow = start(NodeOptions.defaults().withWorkers(workers));
      CountDownLatch release = new CountDownLatch(1);
      AtomicInteger blocked = new AtomicInteger();
      int blockers = 20;
      for (int i = 0; i < blockers; i++) {
        Probe.start(Kind.EVENT, narrow)
            .tell(_ -> {
              blocked.incrementAndGet();
              release.await();
            });
      }
      Await.until("all to block", () -> blocked.get() == blockers);
      Probe other = Probe.start(Kind.EVENT, narrow);
      for (int i = 0; i < 20; i++) {
        other.barrier();
      }
      release.countDown();
      other.barrier();
    }
  }

  // An idle worker must be found for work from outside, each time.
  @Test
  void oneHandlerBlocks_workFromOutside_isRunByTheOtherWorkerAtOnce() {
    for (int round = 0; round < 300; round++) {
      Node fresh = round % 10 == 0 ? restart(NodeOptions.defaults().withWorkers(2)) : node;
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch blocked = new CountDownLatch(1);
      Probe blocker = Probe.start(Kind.EVENT, fresh);
      Probe other = Probe.start(Kind.EVENT, fresh);
      blocker.tell(_ -> {
        blocked.countDown();
        release.await();
      });
      Await.until("one to block", () -> blocked.getCount() == 0);
      other.barrier();
      release.countDown();
      blocker.barrier();
    }
  }

  // Work that one handler makes while it goes on must be found by the other worker.
  @Test
  void handlerThatSpawnsAndThenWaitsForItsChild_isServed() {
    for (int i = 0; i < 50; i++) {
      Probe parent = Probe.start(Kind.EVENT, node);
      boolean served =
          parent.run(self -> {
            CountDownLatch ran = new CountDownLatch(1);
            Pid<Msg> child = Kind.EVENT.spawn(self, (_, _) -> ran.countDown());
            child.send(new Msg.Say("run"));
            return ran.await(5, java.util.concurrent.TimeUnit.SECONDS);
          });
      assertThat(served).isTrue();
    }
  }

  @Test
  void idleNode_usesNoProcessorTime() throws IOException {
    Path tasks = Path.of("/proc/self/task");
    assumeThat(tasks).as("where Linux tells what each thread has used").isDirectory();
    Probe.start(Kind.EVENT, node).barrier();
    Probe.start(Kind.DIRECT, node).barrier();
    LockSupport.parkNanos(50_000_000);
    long before = ticksOfNode(tasks);
    LockSupport.parkNanos(500_000_000);
    assertThat(ticksOfNode(tasks) - before).isLessThanOrEqualTo(1);
  }

  /** Hundredths of a second that the threads named after the node have run. */
  private long ticksOfNode(Path tasks) throws IOException {
    long ticks = 0;
    int threads = 0;
    try (Stream<Path> all = Files.list(tasks)) {
      for (Path task : all.toList()) {
        try {
          if (Files.readString(task.resolve("comm")).startsWith("selvage-" + node.name() + "-")) {
            String stat = Files.readString(task.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            threads++;
          }
        } catch (NoSuchFileException _) {
          // it has ended meanwhile
        }
      }
    }
    assertThat(threads).as("threads that carry the name of the node").isPositive();
    return ticks;
  }
}
