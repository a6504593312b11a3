package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Timer;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.ThreadSource;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Timers for others and for names, timers that carry themselves, and timers that repeat. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class TimingTest extends KernelTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TEN = Duration.ofSeconds(10);
  private static final Duration LITTLE_LESS = Duration.ofMillis(9_900);
  private static final Duration LITTLE = Duration.ofMillis(200);
  private static final Name<Msg> NAME = Name.of("target");

  private final ManualClock clock = new ManualClock();

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  /** Lets everything fire that is due: a timer of another process that is due last has fired. */
  private void settle() {
    Probe bell = Probe.start(kind, node);
    bell.act(self -> self.sendAfter(Duration.ofMillis(1), new Msg.Say("ding")));
    clock.advance(Duration.ofMillis(3));
    assertThat(bell.nextSaid()).isEqualTo("ding");
  }

  private void pass(Duration time) {
    clock.advance(time);
    settle();
  }

  // ---------------------------------------------------------------- to others

  @Test
  void sendAfter_toAnother_arrivesThereAndBelongsToIt() {
    Probe setter = Probe.start(kind, node);
    Probe target = Probe.start(kind, node);
    setter.act(self -> self.sendAfter(TEN, target.pid(), new Msg.Say("for you")));
    setter.pid().kill();
    setter.awaitEnd();
    pass(LITTLE_LESS);
    target.assertQuiet();
    pass(LITTLE);
    assertThat(target.nextSaid()).isEqualTo("for you");
    target.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void sendAfter_byThreadThatIsNoProcess_arrives() {
    Probe target = Probe.start(kind, node);
    Timer _ = node.sendAfter(Duration.ZERO, target.pid(), new Msg.Say("now"));
    assertThat(target.nextSaid()).isEqualTo("now");
    Timer cancelled = node.sendAfter(SECOND, target.pid(), new Msg.Say("never"));
    Timer _ = node.sendAfter(SECOND, target.pid(), new Msg.Say("later"));
    assertThat(cancelled.cancel()).isTrue();
    pass(TEN);
    assertThat(target.nextSaid()).isEqualTo("later");
    target.assertQuiet();
  }

  // F56
  @Test
  void sendAfter_toProcessThatHasEnded_isReleasedAndCounted() {
    Probe setter = Probe.start(kind, node);
    Probe target = Probe.start(kind, node);
    setter.act(self -> {
      for (int i = 0; i < 100; i++) {
        self.sendAfter(TEN, target.pid(), new Msg.Say("never"));
      }
    });
    assertThat(node.stats().timers()).isEqualTo(100);
    target.pid().kill();
    Await.until("the timers to be released", () -> node.stats().timers() == 0);
    Await.until("the messages to be counted", () -> node.stats().undelivered() == 100);
    target.awaitEnd();
    Timer late = setter.run(self -> self.sendAfter(TEN, target.pid(), new Msg.Say("never")));
    assertThat(late.cancel()).isFalse();
    assertThat(late.remaining()).isEmpty();
    setter.act(self -> self.sendAfter(Duration.ZERO, target.pid(), new Msg.Say("never")));
    assertThat(node.stats().timers()).isZero();
    assertThat(node.stats().undelivered()).isEqualTo(102);
  }

  // F56
  @Test
  void sendAfter_toName_isLookedUpWhenItFires() {
    Probe setter = Probe.start(kind, node);
    Probe first = Probe.start(kind, node);
    Probe second = Probe.start(kind, node);
    node.register(NAME, first.pid());
    setter.act(self -> self.sendAfter(TEN, NAME, new Msg.Say("whoever it is")));
    node.unregister(NAME);
    node.register(NAME, second.pid());
    pass(TEN);
    assertThat(second.nextSaid()).isEqualTo("whoever it is");
    first.assertQuiet();
    node.unregister(NAME);
    setter.act(self -> self.sendAfter(TEN, NAME, new Msg.Say("nobody")));
    pass(TEN);
    Await.until("the message to be counted", () -> node.stats().undelivered() == 1);
    first.assertQuiet();
    second.assertQuiet();
  }

  // F57
  @Test
  void timerToName_endsWithItsSetter_thatOfTheNodeDoesNot() {
    Probe setter = Probe.start(kind, node);
    Probe target = Probe.start(kind, node, SpawnOptions.<Msg>defaults().named(NAME));
    setter.act(self -> self.sendAfter(TEN, NAME, new Msg.Say("never")));
    Timer _ = node.sendAfter(TEN, NAME, new Msg.Say("of the node"));
    setter.pid().kill();
    Await.until("one to be released", () -> node.stats().timers() == 1);
    pass(TEN);
    assertThat(target.nextSaid()).isEqualTo("of the node");
    target.assertQuiet();
  }

  // F56, F57: whoever comes later, the end of the target or the timer, none is left
  @Test
  void sendAfter_againstTheEndOfTheTarget_isDeliveredOrCounted() throws InterruptedException {
    node = start(kind.configure(NodeOptions.defaults())); // on real time
    AtomicLong handled = new AtomicLong();
    long set = 0;
    for (int round = 0; round < Math.max(50, Rounds.part(50)); round++) {
      int last = round % 20;
      Pid<Msg> target =
          kind.spawn(
              node,
              (_, message) -> {
                handled.incrementAndGet();
                if (message.equals(new Msg.Say(last))) {
                  throw new ExitException(ExitReason.normal());
                }
              });
      List<Thread> setters = new ArrayList<>();
      for (int s = 0; s < 2; s++) {
        setters.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int i = 0; i < 20; i++) {
                    Timer _ =
                        node.sendAfter(Duration.ofNanos(i % 3 * 1_000L), target, new Msg.Say(i));
                  }
                }));
      }
      for (Thread each : setters) {
        each.join();
      }
      set += 40;
    }
    long all = set;
    Await.until("no timer to be left", () -> node.stats().timers() == 0);
    Await.until(
        () -> "all of " + all + " to be counted: " + handled + " handled, " + node.stats(),
        () -> handled.get() + node.stats().undelivered() == all,
        Await.LIMIT);
  }

  // ---------------------------------------------------------------- timers that carry themselves

  // F50
  @Test
  void startTimer_messageCarriesItsTimer() {
    Probe probe = Probe.start(kind, node);
    Timer first = probe.run(self -> self.startTimer(SECOND, Msg.Say::new));
    Timer second = probe.run(self -> self.startTimer(TEN, Msg.Say::new));
    pass(Duration.ofSeconds(20));
    assertThat(probe.nextSaid()).isSameAs(first);
    assertThat(probe.nextSaid()).isSameAs(second);
    Probe other = Probe.start(kind, node);
    Timer third = probe.run(self -> self.startTimer(SECOND, other.pid(), Msg.Say::new));
    Timer atOnce = probe.run(self -> self.startTimer(Duration.ZERO, other.pid(), Msg.Say::new));
    assertThat(other.nextSaid()).isSameAs(atOnce);
    pass(TEN);
    assertThat(other.nextSaid()).isSameAs(third);
    assertThat(third.cancel()).isFalse();
  }

  @Test
  void startTimer_functionThrowsOrAnswersNull_failsAtTheCallAndSetsNothing() {
    Probe probe = Probe.start(kind, node);
    probe.act(self -> {
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(() ->
              self.startTimer(
                  SECOND,
                  _ -> {
                    throw new ArithmeticException("planned");
                  }));
      assertThatNullPointerException().isThrownBy(() -> self.startTimer(SECOND, _ -> null));
      assertThatNullPointerException()
          .isThrownBy(() -> self.startTimer(SECOND, self.pid(), _ -> null));
    });
    assertThat(node.stats().timers()).isZero();
    pass(TEN);
    probe.assertQuiet();
  }

  // ---------------------------------------------------------------- time left

  // F51, F53
  @Test
  void cancelRemaining_tellsTheTimeThatWasLeft() {
    Probe probe = Probe.start(kind, node);
    Timer timer = probe.run(self -> self.sendAfter(TEN, new Msg.Say("never")));
    assertThat(timer.remaining()).contains(TEN);
    clock.advance(Duration.ofSeconds(4));
    assertThat(timer.remaining()).contains(Duration.ofSeconds(6));
    assertThat(timer.cancelRemaining()).contains(Duration.ofSeconds(6));
    assertThat(timer.cancelRemaining()).isEmpty();
    assertThat(timer.remaining()).isEmpty();
    assertThat(timer.cancel()).isFalse();
    Timer fires = probe.run(self -> self.sendAfter(TEN, new Msg.Say("came")));
    pass(TEN);
    assertThat(probe.nextSaid()).isEqualTo("came");
    assertThat(fires.remaining()).isEmpty();
    assertThat(fires.cancelRemaining()).isEmpty();
  }

  // F59: where OTP answers that it was cancelled, though the message is there
  @Test
  void sendAfterZero_thenCancel_losesAndTheMessageIsThere() {
    Probe probe = Probe.start(kind, node);
    boolean won = probe.run(self -> self.sendAfter(Duration.ZERO, new Msg.Say("sent")).cancel());
    assertThat(won).isFalse();
    assertThat(probe.nextSaid()).isEqualTo("sent");
  }

  @Test
  void durations_ofAnyLength_areAccepted_negativeAndZeroPeriodsRefused() {
    Probe probe = Probe.start(kind, node);
    Msg say = new Msg.Say("never");
    probe.act(self -> {
      Duration negative = Duration.ofNanos(-1);
      List<ThrowingCallable> wrong =
          List.of(
              () -> self.sendAfter(negative, say),
              () -> self.sendAfter(negative, self.pid(), say),
              () -> self.startTimer(negative, _ -> say),
              () -> self.startTimer(negative, self.pid(), _ -> say),
              () -> node.sendAfter(negative, self.pid(), say),
              () -> self.sendEvery(negative, say),
              () -> self.sendEvery(Duration.ZERO, say),
              () -> self.sendAtFixedRate(negative, say),
              () -> self.sendAtFixedRate(Duration.ZERO, say));
      wrong.forEach(call -> assertThatIllegalArgumentException().isThrownBy(call));
      assertThat(node.stats().timers()).isZero();
      self.sendAfter(FOREVER, say);
      self.sendAfter(FOREVER, NAME, say);
      self.startTimer(FOREVER, _ -> say);
      self.sendEvery(FOREVER, say);
      self.sendAtFixedRate(FOREVER, say);
    });
    assertThat(node.stats().timers()).isEqualTo(5);
    for (int i = 0; i < 20; i++) {
      clock.advance(Duration.ofDays(3650));
    }
    settle();
    probe.assertQuiet();
    assertThat(node.stats().timers()).isEqualTo(5);
  }

  // ---------------------------------------------------------------- again and again

  @Test
  void sendEvery_pausesFromOneTakenToTheNextSent() {
    Probe probe = Probe.start(kind, node);
    Timer timer = probe.run(self -> self.sendEvery(TEN, new Msg.Say("tick")));
    for (int i = 0; i < 5; i++) {
      pass(LITTLE_LESS);
      probe.assertQuiet();
      clock.advance(LITTLE); // taken a little late, so the pause begins a little late
      assertThat(probe.nextSaid()).isEqualTo("tick");
      assertThat(timer.remaining()).contains(TEN);
    }
    assertThat(timer.cancel()).isTrue();
    assertThat(timer.cancel()).isFalse();
    assertThat(node.stats().timers()).isZero();
    pass(TEN);
    pass(TEN);
    probe.assertQuiet();
  }

  @Test
  void sendAtFixedRate_keepsToItsGridHoweverLateOneIsTaken() {
    Probe probe = Probe.start(kind, node);
    Timer timer = probe.run(self -> self.sendAtFixedRate(TEN, new Msg.Say("tick")));
    assertThat(timer.remaining()).contains(TEN);
    clock.advance(Duration.ofSeconds(13));
    assertThat(probe.nextSaid()).isEqualTo("tick");
    assertThat(timer.remaining()).contains(Duration.ofSeconds(7));
    clock.advance(Duration.ofSeconds(9));
    assertThat(probe.nextSaid()).isEqualTo("tick");
    assertThat(timer.remaining()).contains(Duration.ofSeconds(8));
    assertThat(timer.cancelRemaining()).contains(Duration.ofSeconds(8));
  }

  // F60
  @Test
  void periodic_ofProcessThatWasLongBusy_sendsNoBurst() {
    for (boolean fixedRate : List.of(false, true)) {
      Probe probe = Probe.start(kind, node);
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch busy = new CountDownLatch(1);
      Timer timer =
          probe.run(self -> {
            Msg tick = new Msg.Say("tick");
            return fixedRate ? self.sendAtFixedRate(TEN, tick) : self.sendEvery(TEN, tick);
          });
      CompletableFuture<Boolean> job =
          probe.start(_ -> {
            busy.countDown();
            release.await();
            return true;
          });
      Await.until("the process to be busy", () -> busy.getCount() == 0);
      for (int i = 0; i < 10; i++) {
        pass(TEN);
      }
      assertThat(timer.remaining()).isEmpty(); // its message was not taken yet
      assertThat(node.stats().timers()).isZero();
      release.countDown();
      assertThat(Await.result("the job", job)).isTrue();
      assertThat(probe.nextSaid()).isEqualTo("tick");
      probe.assertQuiet();
      pass(Duration.ofSeconds(9));
      probe.assertQuiet();
      pass(Duration.ofSeconds(2));
      assertThat(probe.nextSaid()).isEqualTo("tick");
      assertThat(timer.cancel()).isTrue();
    }
  }

  @Test
  void periodic_cancelledWhileItsMessageWaits_answersFalseAndSendsNoMore() {
    Probe probe = Probe.start(kind, node);
    probe.act(self -> {
      Timer timer = self.sendEvery(TEN, new Msg.Say("tick"));
      clock.advance(TEN);
      settle();
      assertThat(timer.cancel()).isFalse();
      assertThat(timer.cancel()).isFalse();
      assertThat(timer.cancelRemaining()).isEmpty();
    });
    assertThat(probe.nextSaid()).isEqualTo("tick");
    for (int i = 0; i < 3; i++) {
      pass(TEN);
    }
    probe.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  // F57
  @Test
  void periodic_ofProcessThatEnds_isReleased() {
    Probe waiting = Probe.start(kind, node);
    Probe ticked = Probe.start(kind, node);
    for (Probe each : List.of(waiting, ticked)) {
      each.act(self -> {
        self.sendEvery(TEN, new Msg.Say("tick"));
        self.sendAtFixedRate(TEN, new Msg.Say("tick"));
      });
    }
    assertThat(node.stats().timers()).isEqualTo(4);
    waiting.pid().kill();
    Await.until("two to be released", () -> node.stats().timers() == 2);
    ticked.tell(_ -> {
      clock.advance(TEN);
      settle();
      throw new ExitException(Reasons.DIE);
    });
    ticked.awaitEnd();
    Await.until("none to be left", () -> node.stats().timers() == 0);
    Await.until("what was unread to be counted", () -> node.stats().undelivered() == 2);
  }

  // F53
  @Test
  void cancelOfPeriodic_againstFiring_winsOrFindsTheMessage() {
    node = start(kind.configure(NodeOptions.defaults())); // on real time
    Referee.run(
        node,
        kind,
        Rounds.part(50),
        () ->
            new Referee() {
              private boolean won;
              private int came;

              @Override
              void round(Self<Msg> self) {
                came = 0;
                Duration period = Duration.ofNanos(1_000L * (1 + random.nextInt(1_200)));
                Msg tick = new Msg.Say("tick");
                Timer timer =
                    random.nextBoolean()
                        ? self.sendEvery(period, tick)
                        : self.sendAtFixedRate(period, tick);
                long until = System.nanoTime() + 1_000L * random.nextInt(3_000);
                while (System.nanoTime() < until) {
                  Thread.onSpinWait();
                }
                won = timer.cancel();
                mark(self);
              }

              @Override
              void said(Self<Msg> self, Object what) throws Exception {
                if (what.equals("tick")) {
                  check(!won, "came although it was cancelled");
                  came++;
                } else {
                  check(won || came == 1, "neither cancelled nor in the mailbox once: " + came);
                  over(self);
                }
              }
            });
    Await.until("no timer to be left", () -> node.stats().timers() == 0);
  }

  // ---------------------------------------------------------------- memory and faults

  // F57
  @Test
  void aMillionTimers_setAndCancelled_leaveTheHeapAsItWas() {
    int million = 1_000_000;
    Probe probe = Probe.start(kind, node);
    long before = usedMemory();
    for (int round = 0; round < 2; round++) {
      CompletableFuture<Boolean> _ =
          probe.start(self -> {
            Timer[] timers = new Timer[million];
            for (int i = 0; i < million; i++) {
              timers[i] = self.sendAfter(Duration.ofHours(1).plusMillis(i), new Msg.Say(i));
            }
            assertThat(node.stats().timers()).isEqualTo(million);
            for (int i = 0; i < million; i++) {
              int mixed = (int) (i * 7_919_777L % million);
              timers[mixed].cancel();
            }
            return true;
          });
    }
    boolean _ = Await.result("the rest", probe.start(_ -> true), Duration.ofSeconds(60));
    assertThat(node.stats().timers()).isZero();
    // They took some 100 bytes each.
    Await.until("the memory to be free", () -> usedMemory() - before < 8_000_000);
  }

  private static long usedMemory() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void firingThatFails_isReported_andTheOthersFire() {
    assumeThat(kind).isEqualTo(Kind.DIRECT);
    expectFaults();
    AtomicBoolean fails = new AtomicBoolean();
    restart(
        options(NodeOptions.defaults())
            .withThreads(
                new ThreadSource() {
                  @Override
                  public Thread processThread(
                      String name,
                      boolean virtual,
                      Thread.UncaughtExceptionHandler owner,
                      Runnable task) {
                    return ThreadSource.jdk().processThread(name, virtual, owner, task);
                  }

                  @Override
                  public void park(Object blocker) {
                    ThreadSource.jdk().park(blocker);
                  }

                  @Override
                  public void unpark(Thread thread) {
                    ThreadSource.jdk().unpark(thread);
                    if (fails.get() && Thread.currentThread().getName().endsWith("-timer")) {
                      throw new IllegalStateException("planned");
                    }
                  }
                }));
    Probe probe = Probe.start(kind, node);
    Probe other = Probe.start(kind, node);
    other.act(self -> self.sendAfter(Duration.ofHours(1), new Msg.Say("after it")));
    fails.set(true);
    Await.until(
        "the fault to be reported", // unless the process was just about to wait
        () -> {
          probe.act(self -> self.sendAfter(SECOND, new Msg.Say("at it")));
          clock.advance(TEN);
          assertThat(probe.nextSaid()).isEqualTo("at it");
          return events.of(KernelEvent.KernelFault.class).stream()
              .anyMatch(fault -> fault.doing().equals("firing a timer"));
        });
    fails.set(false);
    clock.advance(Duration.ofHours(1));
    assertThat(other.nextSaid()).isEqualTo("after it");
  }
}
