package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitoredStart;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartException;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Starts with a handshake: section G. The first kind starts, the second is started. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class StartTest extends KernelTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(20);

  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  /** What the started process does first. */
  @FunctionalInterface
  private interface Beginning {
    void run(Self<Msg> self, Ack<Object> ack) throws Exception;
  }

  /** Code of the second kind: the beginning, then messages for ever. */
  private Init<Msg, Object> init(Beginning beginning) {
    if (pair.other().isDirect()) {
      return Init.body((self, ack) -> {
        beginning.run(self, ack);
        while (true) {
          answer(self.receive());
        }
      });
    }
    return Init.behavior((self, ack) -> {
      beginning.run(self, ack);
      return (_, message) -> {
        answer(message);
        return Behavior.same();
      };
    });
  }

  private static void answer(Msg message) {
    if (message instanceof Msg.Ask(Object what, var replyTo)) {
      replyTo.send(what);
    }
  }

  private SpawnOptions<Msg> options() {
    SpawnOptions<Msg> options = SpawnOptions.defaults();
    return switch (pair.other()) {
      case DIRECT_ON_PLATFORM_THREAD -> options.onPlatformThread();
      case EVENT_ON_VIRTUAL_THREAD -> options.onVirtualThread();
      case DIRECT, EVENT, DIRECT_ON_WORKERS -> options;
    };
  }

  private Probe starter() {
    return Probe.start(pair.one(), node);
  }

  private StartResult<Msg, Object> start(Spawner spawner, Beginning beginning, Duration timeout) {
    return spawner.start(init(beginning), timeout, options());
  }

  private StartResult<Msg, Object> startLink(
      Self<Msg> self, Beginning beginning, Duration timeout) {
    return self.start(init(beginning), timeout, options().linked());
  }

  private MonitoredStart<Msg, Object> startMonitor(
      Self<Msg> self, Beginning beginning, Duration timeout, boolean linked) {
    return self.startMonitor(
        init(beginning), Msg.GotDown::new, timeout, linked ? options().linked() : options());
  }

  // ---------------------------------------------------------------- G61

  @Test
  void start_returnsOnlyAfterReadyWithItsValue() {
    Probe starter = starter();
    CountDownLatch allowed = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Beginning beginning =
        (_, ack) -> {
          begun.countDown();
          allowed.await();
          ack.ready("the value");
        };
    var result = starter.start(self -> start(self, beginning, LONG));
    Await.until("the beginning", () -> begun.getCount() == 0);
    assertThat(result).isNotDone();
    allowed.countDown();
    StartResult.Started<Msg, Object> started = Await.result("the start", result).orThrow();
    assertThat(started.value()).isEqualTo("the value");
    assertThat(started.pid().<Object>call(replyTo -> new Msg.Ask("alive?", replyTo), LONG))
        .isEqualTo("alive?");
    starter.assertQuiet();
  }

  @Test
  void start_fromAThread_returnsPidAndValue() {
    StartResult.Started<Msg, Object> started =
        start(node, (self, ack) -> ack.ready(self.pid()), LONG).orThrow();
    assertThat(started.value()).isEqualTo(started.pid());
    assertThat(started.pid().isAlive()).isTrue();
  }

  @Test
  void startLink_thatIsReady_isLinkedBothWays() {
    Probe starter = Probe.trapping(pair.one(), node);
    Pid<Msg> child =
        starter.run(self -> startLink(self, (_, ack) -> ack.ready(1), LONG).orThrow().pid());
    child.exit(Reasons.DIE);
    assertThat(starter.nextExit().reason()).isEqualTo(Reasons.DIE);
    Pid<Msg> second =
        starter.run(self -> startLink(self, (_, ack) -> ack.ready(1), LONG).orThrow().pid());
    starter.pid().kill();
    Await.until("the child to end", () -> !second.isAlive());
  }

  @Test
  void startMonitor_thatIsReady_isMonitored() {
    Probe starter = starter();
    MonitoredStart<Msg, Object> start =
        starter.run(self -> startMonitor(self, (_, ack) -> ack.ready(1), LONG, false));
    starter.assertQuiet();
    start.result().orThrow().pid().exit(Reasons.DIE);
    assertThat(starter.nextDown())
        .satisfies(
            down -> assertThat(down.monitor()).isEqualTo(start.monitor()),
            down -> assertThat(down.reason()).isEqualTo(Reasons.DIE));
  }

  // ---------------------------------------------------------------- G62

  @Test
  void start_ofProcessThatThrows_failsWithItsReason() {
    Probe starter = starter();
    IllegalStateException thrown = new IllegalStateException("planned");
    StartResult<Msg, Object> result =
        starter.run(self ->
            start(
                self,
                (_, _) -> {
                  throw thrown;
                },
                LONG));
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class,
            ended -> {
              assertThat(ended.reason()).isEqualTo(new ExitReason.Crash(thrown));
              assertThat(ended.pid().isAlive()).isFalse();
            });
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("IllegalStateException: planned")
        .hasCause(thrown);
    starter.assertQuiet();
  }

  @Test
  void start_ofProcessThatFails_tellsOneReasonAndEndsWithTheOther() {
    Probe starter = Probe.trapping(pair.one(), node);
    for (int round = 0; round < 3; round++) {
      boolean monitored = round > 0;
      boolean linked = round > 1;
      Beginning failing =
          (_, ack) -> {
            throw ack.fail(Reasons.DIE, new ExitReason.Shutdown("quiet"));
          };
      StartResult<Msg, Object> result =
          starter.run(self ->
              monitored
                  ? startMonitor(self, failing, LONG, linked).result()
                  : startLink(self, failing, LONG));
      assertThat(((StartResult.Failed<Msg, Object>) result).reason()).isEqualTo(Reasons.DIE);
      if (monitored) {
        assertThat(starter.nextDown().reason()).isEqualTo(new ExitReason.Shutdown("quiet"));
      }
      starter.assertQuiet();
    }
    assertThat(node.stats().crashed()).isZero();
  }

  @Test
  void startLink_thatFails_leavesTheStarterAliveAndWithoutMessage() {
    Probe trapping = Probe.trapping(pair.one(), node);
    Probe plain = starter();
    for (int i = 0; i < 20; i++) {
      for (Probe starter : new Probe[] {trapping, plain}) {
        StartResult<Msg, Object> result =
            starter.run(self ->
                startLink(
                    self,
                    (_, _) -> {
                      throw new ExitException(Reasons.DIE);
                    },
                    LONG));
        assertThat(result).isInstanceOf(StartResult.Ended.class);
        starter.assertQuiet();
      }
    }
  }

  @Test
  void start_ofProcessThatEndsNormallyBeforeItIsReady_fails() {
    Init<Msg, Object> over =
        pair.other().isDirect()
            ? Init.body((_, _) -> {})
            : Init.behavior((_, _) -> Behavior.stop());
    StartResult<Msg, Object> result = starter().run(self -> self.start(over, LONG, options()));
    assertThat(((StartResult.Failed<Msg, Object>) result).reason()).isEqualTo(ExitReason.normal());
  }

  @Test
  void start_ofProcessThatIsKilled_fails() {
    Probe starter = starter();
    AtomicReference<Pid<Msg>> child = new AtomicReference<>();
    var result =
        starter.start(self ->
            start(
                self,
                (me, _) -> {
                  child.set(me.pid());
                  new CountDownLatch(1).await();
                },
                LONG));
    Await.until("the child", () -> child.get() != null);
    child.get().kill();
    assertThat(((StartResult.Failed<Msg, Object>) Await.result("the start", result)).reason())
        .isEqualTo(ExitReason.killed());
  }

  // ---------------------------------------------------------------- G63

  @Test
  void start_timedOut_killsTheProcessAndLeavesNothing() {
    Name<Msg> name = Name.of("late");
    for (int round = 0; round < 4; round++) {
      boolean linked = round % 2 == 1;
      boolean monitored = round > 1;
      Probe starter = Probe.trapping(pair.one(), node);
      AtomicReference<Pid<Msg>> child = new AtomicReference<>();
      Init<Msg, Object> late =
          init((self, _) -> {
            child.set(self.pid());
            new CountDownLatch(1).await();
          });
      SpawnOptions<Msg> options = linked ? options().linked() : options();
      StartResult<Msg, Object> result =
          starter.run(self ->
              monitored
                  ? self.startMonitor(late, Msg.GotDown::new, SHORT, options.named(name)).result()
                  : self.start(late, SHORT, options.named(name)));
      assertThat(result)
          .isInstanceOfSatisfying(
              StartResult.TimedOut.class,
              timedOut -> {
                assertThat(timedOut.pid().isAlive()).isFalse();
                assertThat(timedOut.stillRunning()).isNull();
                assertThat(timedOut.timeout()).isEqualTo(SHORT);
              });
      assertThat(node.whereis(name)).isEmpty();
      if (monitored) {
        assertThat(starter.nextDown().reason()).isEqualTo(ExitReason.killed());
      }
      starter.assertQuiet();
    }
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void start_withZeroTimeout_killsWhatHasCodeToRun() {
    StartResult<Msg, Object> result =
        starter().run(self -> start(self, (_, _) -> new CountDownLatch(1).await(), Duration.ZERO));
    assertThat(result).isInstanceOf(StartResult.TimedOut.class);
  }

  @Test
  void start_ofProcessThatCannotBeEnded_returnsAllTheSame() {
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Name<Msg> name = Name.of("spinner");
    Probe starter = Probe.trapping(pair.one(), node);
    Init<Msg, Object> spinning =
        init((_, _) -> {
          begun.countDown();
          while (!stop.get()) {
            Thread.onSpinWait();
          }
        });
    try {
      StartResult<Msg, Object> result;
      Duration timeout = SHORT;
      do { // until it has begun before it is killed
        Duration present = timeout;
        result = starter.run(self -> self.start(spinning, present, options().linked().named(name)));
        timeout = timeout.multipliedBy(2);
      } while (begun.getCount() != 0);
      assertThat(result)
          .isInstanceOfSatisfying(
              StartResult.TimedOut.class,
              timedOut -> assertThat(timedOut.stillRunning()).contains("still runs"));
      assertThat(node.whereis(name)).isEmpty();
    } finally {
      stop.set(true);
    }
    Await.until("the spinner to end", () -> node.stats().processes() == 1);
    starter.assertQuiet();
  }

  // ---------------------------------------------------------------- E49 and misuse

  @Test
  void start_withTakenName_failsWithTheHolderAndRunsNothing() {
    Name<Msg> name = Name.of("taken");
    Probe holder = Probe.start(pair.other(), node, SpawnOptions.<Msg>defaults().named(name));
    Probe starter = Probe.trapping(pair.one(), node);
    AtomicBoolean ran = new AtomicBoolean();
    MonitoredStart<Msg, Object> start =
        starter.run(self ->
            self.startMonitor(
                init((_, ack) -> {
                  ran.set(true);
                  ack.ready(1);
                }),
                Msg.GotDown::new,
                LONG,
                options().linked().named(name)));
    assertThat(start.result()).isEqualTo(new StartResult.AlreadyStarted<>(holder.pid()));
    assertThat(start.monitor()).isNull();
    assertThat(ran).isFalse();
    starter.assertQuiet();
    assertThatThrownBy(() -> start.result().orThrow())
        .hasMessageContaining("held by " + holder.pid());
  }

  @Test
  void start_withBadArguments_isRefusedAtTheCall() {
    assertThatThrownBy(() -> start(node, (_, ack) -> ack.ready(1), Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.000000001S");
    assertThatThrownBy(() -> node.start(init((_, ack) -> ack.ready(1)), LONG, options().linked()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("linked");
    assertThat(node.stats().spawned()).isZero();
  }

  @Test
  void ack_usedTwiceOrElsewhere_isRefused() {
    AtomicReference<Ack<Object>> kept = new AtomicReference<>();
    CompletableFuture<Throwable> second = new CompletableFuture<>();
    start(
            node,
            (_, ack) -> {
              kept.set(ack);
              ack.ready(1);
              try {
                ack.ready(2);
              } catch (IllegalStateException e) {
                second.complete(e);
              }
            },
            LONG)
        .orThrow();
    assertThat(Await.result("the second", second)).hasMessageContaining("already");
    assertThatThrownBy(() -> kept.get().ready(3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not run on the calling thread");
  }

  // ---------------------------------------------------------------- who starts may end, too

  @Test
  void starter_killedWhileItWaits_takesTheLinkedChildWithItAndNoOther() {
    for (boolean linked : new boolean[] {true, false}) {
      Probe starter = starter();
      CountDownLatch allowed = new CountDownLatch(1);
      CompletableFuture<Pid<Msg>> child = new CompletableFuture<>();
      Beginning beginning =
          (self, ack) -> {
            child.complete(self.pid());
            allowed.await();
            ack.ready(1);
          };
      starter.tell(self -> {
        var _ = linked ? startLink(self, beginning, LONG) : start(self, beginning, LONG);
      });
      Pid<Msg> pid = Await.result("the child", child);
      Fate fate = Fate.of(node, pid);
      starter.pid().kill();
      starter.awaitEnd();
      allowed.countDown();
      if (linked) {
        assertThat(fate.reason()).isEqualTo(ExitReason.killed());
      } else {
        assertThat(pid.<Object>call(replyTo -> new Msg.Ask("?", replyTo), LONG)).isEqualTo("?");
      }
    }
  }

  @Test
  void thread_interruptedWhileItWaits_killsTheProcessAndStaysInterrupted() throws Exception {
    AtomicReference<StartResult<Msg, Object>> result = new AtomicReference<>();
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              result.set(
                  start(
                      node,
                      (_, _) -> {
                        begun.countDown();
                        new CountDownLatch(1).await();
                      },
                      LONG));
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    begun.await();
    thread.interrupt();
    thread.join();
    assertThat(result.get()).isInstanceOf(StartResult.Interrupted.class);
    assertThat(interrupted).isTrue();
    assertThat(node.stats().processes()).isZero();
  }

  @Test
  void node_closedWhileAThreadWaits_failsTheStart() {
    Node closing = start(pair.configure(NodeOptions.defaults()));
    CountDownLatch begun = new CountDownLatch(1);
    var result =
        CompletableFuture.supplyAsync(() ->
            start(
                closing,
                (_, _) -> {
                  begun.countDown();
                  new CountDownLatch(1).await();
                },
                LONG));
    Await.until("the beginning", () -> begun.getCount() == 0);
    closing.close();
    assertThat(((StartResult.Failed<Msg, Object>) Await.result("the start", result)).reason())
        .isEqualTo(ExitReason.shutdown());
  }

  // ---------------------------------------------------------------- races

  // The timeout against the ready: one of the two wins, and the link and the messages agree.
  @Test
  void ready_racingWithTheTimeout_isOneOrTheOther() {
    Probe starter = Probe.trapping(pair.one(), node);
    int rounds = Rounds.part(100);
    for (int i = 0; i < rounds; i++) {
      Duration timeout = Duration.ofNanos(i % 50 * 40_000L);
      StartResult<Msg, Object> result =
          starter.run(self -> startLink(self, (_, ack) -> ack.ready(1), timeout));
      switch (result) {
        case StartResult.Started<Msg, Object> started -> {
          started.pid().exit(Reasons.DIE);
          assertThat(starter.nextExit().reason()).isEqualTo(Reasons.DIE);
        }
        case StartResult.TimedOut<Msg, Object> timedOut ->
            assertThat(timedOut.pid().isAlive()).isFalse();
        case StartResult<Msg, Object> other -> throw new AssertionError(other);
      }
      starter.assertQuiet();
    }
  }
}
