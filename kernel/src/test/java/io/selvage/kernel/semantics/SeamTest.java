package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.spi.Scheduler;
import io.selvage.kernel.spi.ThreadSource;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The seams of {@code io.selvage.kernel.spi} with something else behind them. */
class SeamTest extends KernelTest {

  /** Runs all turns on one thread, and counts how often it was told of blocking. */
  private static final class OneThread implements Scheduler {
    private static final Turn END = () -> {};

    private final LinkedBlockingQueue<Turn> turns = new LinkedBlockingQueue<>();
    private final AtomicInteger blocking = new AtomicInteger();
    private final AtomicInteger blocked = new AtomicInteger();
    private final Thread thread;

    OneThread(Setting setting) {
      thread = Thread.ofPlatform().name(setting.nodeName() + " one thread").start(this::run);
    }

    private void run() {
      try {
        for (Turn turn = turns.take(); !turn.equals(END); turn = turns.take()) {
          turn.run();
        }
      } catch (InterruptedException e) {
        throw new AssertionError("a turn left an interrupt", e);
      }
    }

    @Override
    public void schedule(Turn turn) {
      turns.add(turn);
    }

    @Override
    public void beforeBlock() {
      blocking.incrementAndGet();
      blocked.incrementAndGet();
    }

    @Override
    public void afterBlock() {
      blocking.decrementAndGet();
    }

    @Override
    public void close() {
      turns.add(END);
    }
  }

  /** Lets one process thread run at a time: whoever waits gives the baton away. */
  private static final class Baton implements ThreadSource {
    private final Semaphore baton = new Semaphore(1);
    private final Set<Thread> mine = ConcurrentHashMap.newKeySet();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Override
    public Thread processThread(
        String name, boolean virtual, Thread.UncaughtExceptionHandler owner, Runnable task) {
      made.incrementAndGet();
      Runnable withBaton =
          () -> {
            mine.add(Thread.currentThread());
            take();
            try {
              task.run();
            } finally {
              give();
              mine.remove(Thread.currentThread());
            }
          };
      Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
      return builder.name(name).uncaughtExceptionHandler(owner).unstarted(withBaton);
    }

    private void take() {
      baton.acquireUninterruptibly();
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
    }

    private void give() {
      running.decrementAndGet();
      baton.release();
    }

    @Override
    public void park(Object blocker) {
      if (!mine.contains(Thread.currentThread())) {
        LockSupport.park(blocker);
        return;
      }
      give();
      try {
        LockSupport.park(blocker);
      } finally {
        take();
      }
    }

    @Override
    public void unpark(Thread thread) {
      LockSupport.unpark(thread);
    }
  }

  /** A token that is passed round a ring of processes, and where each of them was run. */
  private List<Thread> ring(Kind kind, int size, int rounds) {
    List<Thread> threads = new ArrayList<>();
    CompletableFuture<Boolean> finished = new CompletableFuture<>();
    List<Pid<Integer>> pids = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int next = (i + 1) % size;
      pids.add(
          kind.spawn(
              node,
              (_, left) -> {
                threads.add(Thread.currentThread());
                if (left == 0) {
                  finished.complete(true);
                } else {
                  pids.get(next).send(left - 1);
                }
              }));
    }
    pids.getFirst().send(size * rounds);
    assertThat(Await.result("the ring", finished)).isTrue();
    assertThat(threads).hasSize(size * rounds + 1);
    return threads;
  }

  @Test
  void scheduler_thatUsesOneThread_runsEveryTurnThere() {
    OneThread[] made = new OneThread[1];
    restart(
        NodeOptions.defaults()
            .withScheduler(setting -> {
              made[0] = new OneThread(setting);
              return made[0];
            }));
    assertThat(ring(Kind.EVENT, 100, 20)).allMatch(made[0].thread::equals);
    Probe event = Probe.start(Kind.EVENT, node);
    Probe second = Probe.start(Kind.EVENT, node);
    Fate fate = Fate.of(node, event);
    event.act(self -> self.link(second.pid()));
    second.pid().kill();
    assertThat(fate.reason()).isEqualTo(io.selvage.kernel.ExitReason.killed());
  }

  @Test
  void scheduler_ofHandlerThatCalls_isToldBeforeAndAfter() {
    OneThread[] made = new OneThread[1];
    restart(
        NodeOptions.defaults()
            .withScheduler(setting -> {
              made[0] = new OneThread(setting);
              return made[0];
            }));
    Probe callee = Probe.start(Kind.DIRECT, node);
    Probe caller = Probe.start(Kind.EVENT, node);
    var reply = caller.start(_ -> callee.ask("?", Duration.ofSeconds(60)));
    Msg.Ask ask = callee.nextAsked();
    Await.until("the scheduler to be told", () -> made[0].blocking.get() == 1);
    ask.replyTo().send("reply");
    assertThat(Await.result("the reply", reply)).isEqualTo("reply");
    caller.barrier();
    assertThat(made[0].blocking).hasValue(0);
    assertThat(made[0].blocked).hasValue(1);
  }

  @Test
  void scheduler_getsTheSettingOfItsNode() {
    Scheduler.Setting[] got = new Scheduler.Setting[1];
    ManualClock clock = new ManualClock();
    restart(
        NodeOptions.defaults()
            .withClock(clock)
            .withWorkers(7)
            .withLongHandler(Duration.ofMillis(123))
            .withScheduler(setting -> {
              got[0] = setting;
              return new OneThread(setting);
            }));
    assertThat(Probe.start(Kind.EVENT, node).answers()).isTrue();
    assertThat(got[0].nodeName()).isEqualTo(node.name());
    assertThat(got[0].workers()).isEqualTo(7);
    assertThat(got[0].longHandlerNanos()).isEqualTo(123_000_000L);
    assertThat(got[0].clock()).isSameAs(clock);
  }

  @Test
  void threadSource_makesEveryProcessThreadAndLetsOneRunAtATime() {
    Baton baton = new Baton();
    restart(NodeOptions.defaults().withThreads(baton));
    List<Thread> threads = ring(Kind.DIRECT, 50, 20);
    assertThat(Set.copyOf(threads)).hasSize(50);
    assertThat(baton.made).hasValue(50);
    assertThat(baton.most).hasValue(1);
    Probe caller = Probe.start(Kind.DIRECT, node);
    Probe callee = Probe.start(Kind.DIRECT_ON_PLATFORM_THREAD, node);
    var reply = caller.start(_ -> callee.ask("?", Duration.ofSeconds(60)));
    callee.nextAsked().replyTo().send("reply");
    assertThat(Await.result("the reply", reply)).isEqualTo("reply");
    assertThat(baton.most).hasValue(1);
    assertThat(baton.made).hasValue(52);
  }

  @Test
  void wholeNode_onOneThreadAtATimeAndManualClock_runsTimersAndTimeouts() {
    Baton baton = new Baton();
    ManualClock clock = new ManualClock();
    restart(
        NodeOptions.defaults().withThreads(baton).withClock(clock).withScheduler(OneThread::new));
    CompletableFuture<Boolean> timedOut = new CompletableFuture<>();
    Pid<String> _ =
        node.spawn(self -> timedOut.complete(self.receive(Duration.ofHours(1)) == null));
    Probe event = Probe.start(Kind.EVENT, node);
    event.act(self -> self.sendAfter(Duration.ofMinutes(30), new Msg.Say("half-time")));
    Await.until("both timers to be set", () -> node.stats().timers() == 2);
    clock.advance(Duration.ofMinutes(31));
    assertThat(event.nextSaid()).isEqualTo("half-time");
    assertThat(timedOut).isNotDone();
    clock.advance(Duration.ofMinutes(31));
    assertThat(Await.result("the timeout", timedOut)).isTrue();
  }

  @Test
  void eventSink_thatThrows_disturbsNobody() {
    restart(NodeOptions.defaults()); // the health check's sink is another one
    try (var noisy =
        io.selvage.kernel.Node.start(
            NodeOptions.defaults()
                .withEvents(_ -> {
                  throw new IllegalStateException("planned");
                }))) {
      for (Kind kind : List.of(Kind.DIRECT, Kind.EVENT)) {
        Probe crashing = Probe.start(kind, noisy);
        crashing.tell(_ -> {
          throw new IllegalStateException("planned");
        });
        crashing.awaitEnd();
        assertThat(Probe.start(kind, noisy).answers()).isTrue();
      }
    }
  }
}
