package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Marks;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Story;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit signals, trapping and exit reasons: one process that sends, one that gets. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class ExitSignalTest extends KernelTest {
  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  private Probe sender() {
    return Probe.start(pair.one(), node);
  }

  private Probe receiver() {
    return Probe.start(pair.other(), node);
  }

  private Probe trappingReceiver() {
    return Probe.trapping(pair.other(), node);
  }

  // A1
  @Test
  void process_gotExitSignal_endsWithItsReasonAndRunsNoFurtherCode() {
    Probe sender = sender();
    Reasons.fatal()
        .forEach(reason -> {
          Probe receiver = receiver();
          Fate fate = Fate.of(node, receiver);
          sender.act(_ -> {
            receiver.say("before");
            receiver.pid().exit(reason);
            receiver.say("after");
          });
          assertThat(fate.reason()).isSameAs(reason);
          assertThat(receiver.pid().isAlive()).isFalse();
          assertThat(receiver.leftOvers()).doesNotContain(new Msg.Say("after"));
        });
    assertThat(sender.answers()).isTrue();
  }

  // A1
  @Test
  void process_gotExitSignalWhileItWaits_endsWithoutAnyMessage() {
    Probe receiver = receiver();
    receiver.barrier();
    Fate fate = Fate.of(node, receiver);
    receiver.pid().exit(Reasons.DIE);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  // A1
  @Test
  void process_gotExitSignalBehindUnreadMessages_endsWithoutReadingThem() {
    node.marks(Marks.off()); // the mailbox shall grow long
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Probe receiver = receiver();
    Fate fate = Fate.of(node, receiver);
    receiver.tell(_ -> {
      busy.countDown();
      release.await();
    });
    Await.until("the receiver to be busy", () -> busy.getCount() == 0);
    sender()
        .act(_ -> {
          for (int i = 0; i < 100_000; i++) {
            receiver.say(i);
          }
          // A trapped or normal signal would not interrupt the wait above; this one does.
          receiver.pid().exit(Reasons.DIE);
        });
    release.countDown();
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
    assertThat(receiver.leftOvers()).isEmpty();
  }

  // A1
  @Test
  void process_gotTwoExitSignals_endsWithTheFirst() {
    AtomicBoolean release = new AtomicBoolean();
    CountDownLatch busy = new CountDownLatch(1);
    Probe receiver = receiver();
    Fate fate = Fate.of(node, receiver);
    receiver.tell(_ -> {
      busy.countDown();
      while (!release.get()) {
        Thread.onSpinWait();
      }
    });
    Await.until("the receiver to be busy", () -> busy.getCount() == 0);
    receiver.pid().exit(Reasons.DIE);
    receiver.pid().exit(ExitReason.shutdown());
    receiver.pid().kill();
    release.set(true);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  // A2
  @Test
  void trappingProcess_gotExitSignal_getsMessageAtTheEndOfItsQueue() {
    Probe sender = sender();
    Probe receiver = trappingReceiver();
    Reasons.fatal()
        .forEach(reason -> {
          sender.act(_ -> {
            receiver.say("before");
            receiver.pid().exit(reason);
            receiver.say("after");
          });
          assertThat(receiver.nextSaid()).isEqualTo("before");
          assertThat(receiver.nextExit()).isEqualTo(new Exit(sender.pid(), reason));
          assertThat(receiver.nextSaid()).isEqualTo("after");
        });
    receiver.assertQuiet();
  }

  // A2
  @Test
  void trappingProcess_gotExitSignalFromItself_getsMessage() {
    Probe receiver = trappingReceiver();
    receiver.act(self -> {
      self.pid().exit(Reasons.DIE);
      self.pid().send(new Msg.Say("after"));
    });
    assertThat(receiver.nextExit()).isEqualTo(new Exit(receiver.pid(), Reasons.DIE));
    assertThat(receiver.nextSaid()).isEqualTo("after");
    receiver.assertQuiet();
  }

  // A2
  @Test
  void trappingProcess_gotExitSignalFromThread_getsMessageFromNobody() {
    Probe receiver = trappingReceiver();
    receiver.pid().exit(Reasons.DIE);
    assertThat(receiver.nextExit()).isEqualTo(new Exit(null, Reasons.DIE));
  }

  // A2
  @Test
  void trapping_startedAndStoppedWhileRunning_appliesFromThenOn() {
    Probe receiver = receiver();
    receiver.act(self -> self.trapExits(Msg.GotExit::new));
    receiver.pid().exit(Reasons.DIE);
    assertThat(receiver.nextExit().reason()).isEqualTo(Reasons.DIE);
    receiver.act(self -> self.trapExits(exit -> new Msg.Say("mapped " + exit.reason())));
    receiver.pid().exit(ExitReason.shutdown());
    assertThat(receiver.nextSaid()).isEqualTo("mapped shutdown");
    receiver.act(self -> self.untrapExits());
    Fate fate = Fate.of(node, receiver);
    receiver.pid().exit(Reasons.DIE);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  // A3
  @Test
  void process_gotNormalFromAnother_staysAlive() {
    Probe sender = sender();
    Probe receiver = receiver();
    sender.act(_ -> {
      receiver.pid().exit(ExitReason.normal());
      receiver.say("still there?");
    });
    assertThat(receiver.nextSaid()).isEqualTo("still there?");
    receiver.pid().exit(ExitReason.normal()); // from a thread
    assertThat(receiver.answers()).isTrue();
    receiver.assertQuiet();
  }

  // A3
  @Test
  void trappingProcess_gotNormalFromAnother_getsMessage() {
    Probe sender = sender();
    Probe receiver = trappingReceiver();
    sender.act(_ -> receiver.pid().exit(ExitReason.normal()));
    assertThat(receiver.nextExit()).isEqualTo(new Exit(sender.pid(), ExitReason.normal()));
    receiver.assertQuiet();
  }

  // A4
  @Test
  void process_gotNormalFromItself_endsNormally() {
    Probe receiver = receiver();
    Fate fate = Fate.of(node, receiver);
    receiver.tell(self -> {
      self.pid().exit(ExitReason.normal());
      self.pid().send(new Msg.Say("after"));
    });
    assertThat(fate.reason()).isEqualTo(ExitReason.normal());
    assertThat(receiver.leftOvers()).isEmpty();
  }

  // A4
  @Test
  void trappingProcess_gotNormalFromItself_getsMessageOnly() {
    Probe receiver = trappingReceiver();
    receiver.act(self -> self.pid().exit(ExitReason.normal()));
    assertThat(receiver.nextExit()).isEqualTo(new Exit(receiver.pid(), ExitReason.normal()));
    receiver.assertQuiet();
  }

  // A5
  @Test
  void signalToItself_insideCatchAll_cannotBeCaught() {
    Probe observer = Probe.trapping(pair.one(), node);
    AtomicInteger caught = new AtomicInteger();
    Probe receiver = receiver();
    receiver.act(self -> self.link(observer.pid()));
    receiver.tell(self -> {
      for (int i = 0; i < 5; i++) {
        try {
          self.pid().exit(Reasons.DIE);
          self.untrapExits(); // any kernel call
        } catch (Throwable t) { // the catch-all
          assertThat(t).isInstanceOf(ProcessEndedError.class);
          caught.incrementAndGet();
        }
      }
    });
    assertThat(observer.nextExit()).isEqualTo(new Exit(receiver.pid(), Reasons.DIE));
    assertThat(caught).hasValue(5);
  }

  // A5
  @Test
  void signalFromAnother_insideCatchAll_cannotBeCaught() {
    Probe sender = sender();
    Probe receiver = receiver();
    Fate fate = Fate.of(node, receiver);
    receiver.tell(self -> {
      sender.tell(_ -> receiver.pid().exit(Reasons.DIE));
      for (int caught = 0; caught < 3; ) {
        try {
          self.untrapExits();
        } catch (Throwable _) { // the catch-all
          caught++;
        }
      }
      throw new IllegalStateException("this must not be the reason");
    });
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  // A5
  @Test
  void exitException_insideCatchAll_canBeCaught() {
    Probe receiver = receiver();
    receiver.act(_ -> {
      try {
        throw new ExitException(Reasons.DIE);
      } catch (ExitException caught) {
        assertThat(caught.reason()).isEqualTo(Reasons.DIE);
      }
    });
    assertThat(receiver.answers()).isTrue();
  }

  // A6
  @Test
  void trappingProcess_gotKill_diesAndOthersSeeKilled() {
    Probe sender = sender();
    Probe linked = Probe.trapping(pair.one(), node);
    Probe monitoring = Probe.start(pair.one(), node);
    Probe receiver = trappingReceiver();
    linked.act(self -> self.link(receiver.pid()));
    monitoring.act(self -> self.monitor(receiver.pid(), Msg.GotDown::new));
    sender.act(_ -> receiver.pid().kill());
    assertThat(linked.nextExit()).isEqualTo(new Exit(receiver.pid(), ExitReason.killed()));
    assertThat(monitoring.nextDown().reason()).isEqualTo(ExitReason.killed());
    assertThat(receiver.leftOvers()).isEmpty();
    linked.assertQuiet();
    monitoring.assertQuiet();
  }

  // A6
  @Test
  void trappingProcess_killsItself_othersSeeKilled() {
    Probe linked = Probe.trapping(pair.one(), node);
    Probe receiver = trappingReceiver();
    linked.act(self -> self.link(receiver.pid()));
    receiver.tell(self -> self.pid().kill());
    assertThat(linked.nextExit()).isEqualTo(new Exit(receiver.pid(), ExitReason.killed()));
  }

  // A6, A7
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9, 10})
  void chain_firstIsKilled_passesKilledOn(int length) {
    List<Probe> chain = chain(length);
    sender().act(_ -> chain.getFirst().pid().kill());
    assertChainEnds(chain, ExitReason.killed());
  }

  // A7
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9, 10})
  void chain_firstExitsWithKill_passesKillOnAndItCanBeTrapped(int length) {
    List<Probe> chain = chain(length);
    chain
        .getFirst()
        .tell(_ -> {
          throw new ExitException(ExitReason.kill());
        });
    assertChainEnds(chain, ExitReason.kill());
  }

  /**
   * So many processes, each linked to the one before; the last one traps exits and is not counted.
   * Kinds alternate.
   */
  private List<Probe> chain(int length) {
    List<Probe> chain = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      chain.add(Probe.start(i % 2 == 0 ? pair.other() : pair.one(), node));
    }
    chain.add(trappingReceiver());
    for (int i = 0; i < length; i++) {
      Pid<Msg> next = chain.get(i + 1).pid();
      chain.get(i).act(self -> self.link(next));
    }
    return chain;
  }

  private void assertChainEnds(List<Probe> chain, ExitReason reason) {
    Probe last = chain.getLast();
    Probe lastButOne = chain.get(chain.size() - 2);
    assertThat(last.nextExit()).isEqualTo(new Exit(lastButOne.pid(), reason));
    chain.subList(0, chain.size() - 1).forEach(Probe::awaitEnd);
    last.assertQuiet();
  }

  // A10
  @Test
  void largeReason_throughLinkAndMonitor_arrivesUnchanged() {
    Probe observer = Probe.trapping(pair.one(), node);
    for (int i = 0; i < 10; i++) {
      byte[] content = new byte[128 * 1024 + i];
      Arrays.fill(content, (byte) i);
      Reasons.Large reason = new Reasons.Large(content);
      Probe receiver = receiver();
      observer.act(self -> {
        self.link(receiver.pid());
        self.monitor(receiver.pid(), Msg.GotDown::new);
      });
      receiver.tell(_ -> {
        throw new ExitException(reason);
      });
      List<Msg> both = List.of(observer.next(), observer.next());
      assertThat(both)
          .map(m ->
              switch (m) {
                case Msg.GotExit(Exit exit) -> exit.reason();
                case Msg.GotDown(var down) -> down.reason();
                default -> throw new AssertionError(m);
              })
          .allSatisfy(r -> assertThat(((Reasons.Large) r).content()).isSameAs(content));
      assertThat(both).hasAtLeastOneElementOfType(Msg.GotExit.class);
      assertThat(both).hasAtLeastOneElementOfType(Msg.GotDown.class);
    }
  }

  // A11
  @Test
  void uncaughtException_endsWithCrashThatHoldsItWithItsStack() {
    IllegalStateException thrown = new IllegalStateException("planned");
    Probe receiver = receiver();
    Fate fate = Fate.of(node, receiver);
    receiver.tell(_ -> {
      throw thrown;
    });
    assertThat(fate.reason()).isEqualTo(new ExitReason.Crash(thrown));
    assertThat(thrown.getStackTrace()).isNotEmpty();
  }

  // A11
  @Test
  void exitException_endsWithItsPlainReason() {
    Reasons.all()
        .forEach(reason -> {
          Probe receiver = receiver();
          Fate fate = Fate.of(node, receiver);
          receiver.tell(_ -> {
            throw new ExitException(reason);
          });
          assertThat(fate.reason()).isSameAs(reason);
        });
  }

  // A1, where the receiver blocks in code that is not the kernel's
  @Test
  void process_blockedInForeignCode_isInterruptedByExitSignal() {
    Probe sender = sender();
    List<Job> blockers =
        List.of(
            () -> Thread.sleep(TimeUnit.DAYS.toMillis(1)),
            () -> new CountDownLatch(1).await(),
            () -> {
              Object _ = new LinkedBlockingQueue<Object>().take();
            },
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
              }
            });
    for (Job blocker : blockers) {
      CountDownLatch about = new CountDownLatch(1);
      Probe receiver = receiver();
      Fate fate = Fate.of(node, receiver);
      receiver.tell(_ -> {
        about.countDown();
        blocker.run();
      });
      Await.until("the receiver to be about to block", () -> about.getCount() == 0);
      sender.act(_ -> receiver.pid().exit(Reasons.DIE));
      assertThat(fate.reason()).isEqualTo(Reasons.DIE);
    }
  }

  /** Blocks until it is interrupted. */
  private interface Job {
    void run() throws InterruptedException;
  }

  @Test
  void trappingProcess_blockedInForeignCode_isNotInterruptedByTrappedSignal() {
    CountDownLatch about = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Probe receiver = trappingReceiver();
    var job =
        receiver.start(_ -> {
          about.countDown();
          return release.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        });
    Await.until("the receiver to be about to block", () -> about.getCount() == 0);
    sender().act(_ -> receiver.pid().exit(Reasons.DIE));
    release.countDown();
    assertThat(Await.result("the receiver to be released", job)).isTrue();
    assertThat(receiver.nextExit().reason()).isEqualTo(Reasons.DIE);
  }

  @Test
  void exitSignal_toEndedProcess_isIgnored() {
    Probe receiver = receiver();
    Fate fate = Fate.of(node, receiver);
    receiver.pid().exit(Reasons.DIE);
    fate.reason();
    receiver.pid().exit(ExitReason.shutdown());
    receiver.pid().kill();
    receiver.awaitEnd();
    sender().act(_ -> receiver.pid().kill());
    Await.until("the end to be counted", () -> node.stats().crashed() >= 1);
    assertThat(node.stats().crashed()).isEqualTo(1);
  }

  @Test
  void processEndedBySignal_runsItsFinallyBlocks() {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger finished = new AtomicInteger();
    Pid<Msg> pid =
        pair.other()
            .spawn(
                node,
                Story.beginning(self -> {
                  begun.countDown();
                  try {
                    while (true) {
                      self.untrapExits();
                    }
                  } finally {
                    finished.incrementAndGet();
                  }
                }));
    Await.until("the process to begin", () -> begun.getCount() == 0);
    Fate fate = Fate.of(node, pid);
    sender().act(_ -> pid.exit(Reasons.DIE));
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
    assertThat(finished).hasValue(1);
  }

  @Test
  void processThatThrowsAnotherExceptionWhileItIsEnded_endsWithTheSignalsReason() {
    Probe receiver = receiver();
    Fate fate = Fate.of(node, receiver);
    receiver.tell(self -> {
      try {
        while (true) {
          self.untrapExits();
        }
      } catch (Throwable _) { // the catch-all
        throw new IllegalArgumentException("this must not be the reason");
      }
    });
    sender().act(_ -> receiver.pid().exit(Reasons.DIE));
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  @Test
  void everyKernelCall_ofProcessThatWasEnded_throws() {
    Probe other = sender();
    MonitorRef monitor = other.run(self -> self.monitor(other.pid(), Msg.GotDown::new));
    Map<String, Object> outcomes = new ConcurrentHashMap<>();
    Probe receiver = receiver();
    receiver.tell(self -> {
      try {
        self.pid().exit(Reasons.DIE);
      } catch (ProcessEndedError _) {
        outcomes.put("exit", ProcessEndedError.class);
      }
      SelfCalls.all(other.pid(), monitor)
          .forEach((name, call) -> {
            try {
              call.make(self);
              outcomes.put(name, "returned");
            } catch (Throwable t) { // what it is is the question
              outcomes.put(name, t.getClass());
            }
          });
    });
    receiver.awaitEnd();
    assertThat(outcomes).hasSize(SelfCalls.all(other.pid(), monitor).size() + 1);
    assertThat(outcomes)
        .allSatisfy(
            (name, outcome) -> assertThat(outcome).as(name).isEqualTo(ProcessEndedError.class));
  }

  @Test
  void kindsOfBothSides_areWhatTheNameSays() {
    Probe receiver = receiver();
    boolean virtual = receiver.run(_ -> Thread.currentThread().isVirtual());
    assertThat(virtual)
        .isEqualTo(pair.other() != Kind.EVENT && pair.other() != Kind.DIRECT_ON_PLATFORM_THREAD);
  }
}
